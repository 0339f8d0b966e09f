package model_test

import (
	"encoding/json"
	"fmt"
	"maps"
	"slices"

	"github.com/statuspatch/statuspatcher-gen/examples/api/v1alpha1"
)

// flatten names each value of a status: fields by path, entries of keyed lists by key.
func flatten(raw []byte) (map[string]string, v1alpha1.MachinePoolStatus, error) {
	var pool struct {
		Status json.RawMessage `json:"status"`
	}
	var typed struct {
		Status v1alpha1.MachinePoolStatus `json:"status"`
	}
	if err := json.Unmarshal(raw, &pool); err != nil {
		return nil, typed.Status, err
	}
	if err := json.Unmarshal(raw, &typed); err != nil {
		return nil, typed.Status, err
	}
	values := map[string]string{}
	if pool.Status == nil {
		return values, typed.Status, nil
	}
	var tree map[string]any
	if err := json.Unmarshal(pool.Status, &tree); err != nil {
		return nil, typed.Status, err
	}
	flattenInto(values, "", tree)
	return values, typed.Status, nil
}

func flattenInto(values map[string]string, path string, tree any) {
	switch value := tree.(type) {
	case map[string]any:
		for key, below := range value {
			name := key
			if path != "" {
				name = path + "." + key
			}
			flattenInto(values, name, below)
		}
	case []any:
		for _, entry := range value {
			key := fmt.Sprint(entry)
			if object, ok := entry.(map[string]any); ok {
				for _, name := range []string{"type", "name"} {
					if object[name] != nil {
						key = fmt.Sprint(object[name])
					}
				}
			}
			text, err := json.Marshal(entry)
			if err != nil {
				text = []byte(err.Error())
			}
			if values[path+"["+key+"]"] != "" {
				text = append(text, " twice"...)
			}
			values[path+"["+key+"]"] = string(text)
		}
	default:
		text, err := json.Marshal(value)
		if err != nil {
			text = []byte(err.Error())
		}
		values[path] = string(text)
	}
}

// checkWrite says which law a write of a writer broke, "" if none: it changed
// nothing but the keys that the writer edits, left no group mixed, and moved no
// lastTransitionTime without a flip.
func checkWrite(before, after []byte, own func(key string) bool) string {
	was, old, err := flatten(before)
	if err != nil {
		return err.Error()
	}
	is, status, err := flatten(after)
	if err != nil {
		return err.Error()
	}
	keys := slices.Sorted(maps.Keys(is))
	for key := range was {
		if _, kept := is[key]; !kept {
			keys = append(keys, key)
		}
	}
	for _, key := range keys {
		if was[key] != is[key] && key != "observedGeneration" && !own(key) {
			return fmt.Sprintf("changed %s, which it does not edit, from %q to %q", key, was[key], is[key])
		}
	}
	if mixed := mixedGroup(&status); mixed != "" {
		return mixed
	}
	for _, c := range status.Conditions {
		for _, o := range old.Conditions {
			if c.Type == o.Type && c.Status == o.Status && !c.LastTransitionTime.Equal(&o.LastTransitionTime) {
				return fmt.Sprintf("moved the lastTransitionTime of %s without a flip", c.Type)
			}
		}
	}
	if status.ObservedGeneration != 1 {
		return fmt.Sprintf("stored observedGeneration %d, want 1", status.ObservedGeneration)
	}
	return ""
}

// mixedGroup says which group holds values that no writer computed together.
func mixedGroup(s *v1alpha1.MachinePoolStatus) string {
	if (s.Replicas != 0 || s.ReadyReplicas != 0) && s.ReadyReplicas != s.Replicas+counterGap {
		return fmt.Sprintf("mixed the counters: replicas %d, readyReplicas %d", s.Replicas, s.ReadyReplicas)
	}
	count := noAvailability
	if s.Rollout != nil && s.Rollout.AvailableReplicas != nil {
		count = fmt.Sprint(*s.Rollout.AvailableReplicas)
	}
	for _, c := range s.Conditions {
		if c.Type == "Available" && c.Message != count {
			return fmt.Sprintf("mixed the availability: availableReplicas %s, condition of %s", count, c.Message)
		}
	}
	return ""
}
