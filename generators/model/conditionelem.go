package model

import "go/types"

// conditionElem returns what is known of a condition if elem is one: a struct
// with Type, Status, Reason and Message of kind string and LastTransitionTime.
func conditionElem(elem *Shape) *ConditionElem {
	if elem.Kind != StructKind {
		return nil
	}
	if _, ok := types.Unalias(elem.Type).(*types.Named); !ok {
		return nil
	}
	s := elem.Struct
	c := &ConditionElem{
		Type:               elem.Type,
		Struct:             s,
		ConditionType:      stringField(s, "Type"),
		Status:             stringField(s, "Status"),
		Reason:             stringField(s, "Reason"),
		Message:            stringField(s, "Message"),
		Severity:           stringField(s, "Severity"),
		LastTransitionTime: timeField(s, "LastTransitionTime"),
		ObservedGeneration: int64Field(s, "ObservedGeneration"),
		LastUpdateTime:     timeField(s, "LastUpdateTime"),
		LastHeartbeatTime:  timeField(s, "LastHeartbeatTime"),
		LastProbeTime:      timeField(s, "LastProbeTime"),
		Meta:               typePath(elem.Type) == metaPath+".Condition",
	}
	if c.ConditionType == nil || c.Status == nil || c.Reason == nil || c.Message == nil || c.LastTransitionTime == nil {
		return nil
	}
	return c
}

func goField(s *Struct, goName string) *Field {
	for _, f := range s.Fields {
		if f.GoName == goName {
			return f
		}
	}
	return nil
}

func stringField(s *Struct, goName string) *Field {
	if f := goField(s, goName); f != nil && f.Shape.IsString() {
		return f
	}
	return nil
}

func timeField(s *Struct, goName string) *Field {
	if f := goField(s, goName); f != nil && f.Shape.Kind == Time {
		return f
	}
	return nil
}

func int64Field(s *Struct, goName string) *Field {
	if f := goField(s, goName); f != nil && isInt64(f.Type) {
		return f
	}
	return nil
}

func isInt64(t types.Type) bool {
	b, ok := t.Underlying().(*types.Basic)
	return ok && b.Kind() == types.Int64
}
