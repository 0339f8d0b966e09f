package zoo_test

import (
	"encoding/binary"
	"math"
	"reflect"
	"strconv"
	"strings"
	"time"

	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	"k8s.io/apimachinery/pkg/api/resource"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/util/intstr"

	zoov1 "github.com/statuspatch/statuspatcher-gen/test/zoo/api/v1"
)

// choices makes values out of bytes, so that a fuzzer can steer it and a test can feed
// it at random. When the bytes are used up, all that follows is zero.
type choices struct {
	bytes []byte
	depth int
}

// below is a number below n, which is at most 256.
func (c *choices) below(n int) int {
	if len(c.bytes) == 0 {
		return 0
	}
	b := c.bytes[0]
	c.bytes = c.bytes[1:]
	return int(b) % n
}

// often is true in n-1 of n cases.
func (c *choices) often(n int) bool { return c.below(n) != 0 }

func (c *choices) uint64() uint64 {
	var raw [8]byte
	c.bytes = c.bytes[copy(raw[:], c.bytes):]
	return binary.LittleEndian.Uint64(raw[:])
}

func pick[T any](c *choices, from []T) T { return from[c.below(len(from))] }

var (
	someStrings = []string{
		"", "a", "b", "c", "Ready", "a<b>&c", "größe", "\u2028", "日本", "a/b~c", `"quoted"\`, "null", "true", "12",
		"bad\xffutf8", "\x00", "🦓",
	}
	someKeys = []string{"a", "b", "c", "a/b", "a~b", "~1", "ü", "<x>", "null", "", "a b", `"`, "-", "0"}
	someInts = []int64{0, 1, -1, 2, 3, 7, 127, -128, 1 << 31, 1<<53 + 1, 1<<53 + 2, math.MaxInt64, math.MinInt64}
	// Floats that hold integers are integers on the server.
	someFloats = []float64{0, 1, -1, 0.1, 1.5, 1e20, 1e21, 1e-7, math.MaxFloat64, math.SmallestNonzeroFloat64, math.Copysign(0, -1), 1 << 53}
	someTimes  = []time.Time{
		time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC), time.Date(2026, 1, 2, 3, 4, 5, 600, time.UTC),
		time.Date(2026, 1, 2, 4, 4, 5, 6000, time.FixedZone("", 3600)), time.Date(1969, 12, 31, 23, 59, 59, 999, time.UTC), time.Unix(0, 0),
	}
	someQuantities = []string{"0", "2", "2000m", "1Gi", "1024Mi", "1e3", "1k", "0.5", "-3", "123456789012345678901234567890"}
	someJSON       = []string{
		`{}`, `{"a":1}`, `{"a":1.0}`, `{"a":null}`, `{"a":{"b":null,"c":[null]}}`, `{"a":{"b":1}}`, `{"a":[1,{"x":null}]}`,
		`{"a":9007199254740993}`, `{"a":9007199254740992}`, `{"a":1e2,"b":"<&>"}`, `{"b":"ü/~"}`, `{"a/b":{"c~d":1}}`, `{ "a" : {} }`,
	}
	someOtherJSON = []string{`1`, `"x"`, `[1,null,{"a":null}]`, `true`, `[]`, `1.0`, `-0.0`, `12345678901234567890`}
)

// fill sets v, which may be set, to a value of its type.
func (c *choices) fill(v reflect.Value) {
	c.depth++
	defer func() { c.depth-- }()
	if c.fillKnown(v) {
		return
	}
	switch v.Kind() {
	case reflect.Bool:
		v.SetBool(c.often(2))
	case reflect.Int, reflect.Int8, reflect.Int16, reflect.Int32, reflect.Int64:
		v.SetInt(truncated(v, pick(c, someInts)))
	case reflect.Uint, reflect.Uint8, reflect.Uint16, reflect.Uint32, reflect.Uint64:
		// The server's numbers end at MaxInt64.
		v.SetUint(uint64(pick(c, someInts)) & (1<<(v.Type().Bits()-1) - 1))
	case reflect.Float32, reflect.Float64:
		v.SetFloat(c.float(v.Type().Bits()))
	case reflect.String:
		v.SetString(pick(c, someStrings))
	case reflect.Pointer:
		v.SetZero()
		if c.depth < 12 && c.often(3) {
			v.Set(reflect.New(v.Type().Elem()))
			c.fill(v.Elem())
		}
	case reflect.Slice:
		c.fillSlice(v)
	case reflect.Array:
		for i := range v.Len() {
			c.fill(v.Index(i))
		}
	case reflect.Map:
		c.fillMap(v)
	case reflect.Struct:
		for i := range v.NumField() {
			if field := v.Type().Field(i); field.IsExported() && field.Tag.Get("json") != "-" {
				c.fillSeldom(v.Field(i))
			}
		}
	}
}

// fillSeldom leaves a part of a struct as it is in one of three cases.
func (c *choices) fillSeldom(v reflect.Value) {
	if c.often(3) {
		c.fill(v)
	}
}

func truncated(v reflect.Value, n int64) int64 {
	shift := 64 - v.Type().Bits()
	return n << shift >> shift
}

func (c *choices) float(bits int) float64 {
	f := pick(c, someFloats)
	if c.below(4) == 3 {
		f = math.Float64frombits(c.uint64())
	}
	if bits == 32 {
		f = float64(float32(f))
	}
	if math.IsNaN(f) || math.IsInf(f, 0) {
		return 0.25
	}
	return f
}

func (c *choices) fillSlice(v reflect.Value) {
	v.SetZero()
	n := c.below(5) - 1
	if n < 0 || c.depth > 12 {
		return
	}
	if null := v.Type().Elem().Kind() == reflect.Pointer || v.Type().Elem().Kind() == reflect.Map; null && n > 0 {
		n-- // entries that are nil are rejected by the server: fewer of them
	}
	v.Set(reflect.MakeSlice(v.Type(), n, n))
	for i := range n {
		c.fill(v.Index(i))
		if e := v.Index(i); e.Kind() == reflect.Pointer && e.IsNil() {
			e.Set(reflect.New(e.Type().Elem()))
		}
	}
}

func (c *choices) fillMap(v reflect.Value) {
	v.SetZero()
	n := c.below(5) - 1
	if n < 0 || c.depth > 12 {
		return
	}
	v.Set(reflect.MakeMap(v.Type()))
	for range n {
		value := reflect.New(v.Type().Elem()).Elem()
		c.fill(value)
		v.SetMapIndex(reflect.ValueOf(pick(c, someKeys)).Convert(v.Type().Key()), value)
	}
}

// fillKnown sets values of types that cannot be filled field by field.
func (c *choices) fillKnown(v reflect.Value) bool {
	switch x := v.Addr().Interface().(type) {
	case *metav1.Time:
		x.Time = time.Time{}
		if c.often(4) {
			x.Time = pick(c, someTimes)
		}
	case *metav1.MicroTime:
		x.Time = time.Time{}
		if c.often(4) {
			x.Time = pick(c, someTimes)
		}
	case *metav1.Duration:
		x.Duration = time.Duration(pick(c, someInts)) % (1000 * time.Hour)
	case *resource.Quantity:
		*x = resource.Quantity{}
		if c.often(4) {
			*x = resource.MustParse(pick(c, someQuantities))
		}
	case *intstr.IntOrString:
		*x = intstr.FromInt32(int32(pick(c, someInts)))
		if c.often(2) {
			*x = intstr.FromString(pick(c, someStrings))
		}
	case *runtime.RawExtension:
		*x = runtime.RawExtension{}
		if c.often(4) {
			x.Raw = []byte(pick(c, someJSON))
		}
	case *apiextensionsv1.JSON:
		*x = apiextensionsv1.JSON{}
		if raw := pick(c, [][]string{{""}, someJSON, someOtherJSON}); raw[0] != "" {
			x.Raw = []byte(pick(c, raw))
		}
	case *zoov1.Version:
		*x = zoov1.Version{Major: c.below(3), Minor: c.below(3)}
	case *zoov1.Point:
		*x = zoov1.Point{X: c.below(3), Y: c.below(3)}
	case *zoov1.Tags:
		*x = zoov1.NewTags([]string{"a", "b", "c"}[:c.below(4)]...)
	case *zoov1.Token:
		*x = zoov1.NewToken(c.below(4))
	case *[]metav1.Condition:
		c.fillConditions(x)
	default:
		return false
	}
	return true
}

// fillConditions edits a list of conditions in ways that need no filling in.
func (c *choices) fillConditions(list *[]metav1.Condition) {
	kept := []metav1.Condition{}
	has := map[string]bool{}
	for _, condition := range *list {
		has[condition.Type] = true
		switch c.below(4) {
		case 1: // goes
			continue
		case 2:
			condition.Message = pick(c, someStrings)
		case 3:
			condition.Status = map[metav1.ConditionStatus]metav1.ConditionStatus{"True": "False", "False": "Unknown", "Unknown": "True"}[condition.Status]
			condition.LastTransitionTime = metav1.NewTime(condition.LastTransitionTime.Add(time.Hour))
		}
		kept = append(kept, condition)
	}
	for _, conditionType := range []string{"Ready", "Deep", "Other"} {
		if !has[conditionType] && c.often(2) {
			kept = append(kept, metav1.Condition{
				Type: conditionType, Status: pick(c, []metav1.ConditionStatus{"True", "False", "Unknown"}), Reason: "R" + strconv.Itoa(c.below(3)),
				ObservedGeneration: 1, LastTransitionTime: metav1.NewTime(someTimes[0].Add(time.Duration(c.below(9)) * time.Hour)),
			})
		}
	}
	*list = kept
	if len(kept) == 0 && c.often(2) {
		*list = nil
	}
}

// edit changes parts of v here and there and leaves the rest.
func (c *choices) edit(v reflect.Value) {
	if len(c.bytes) == 0 {
		return
	}
	if c.below(8) == 7 {
		c.fill(v)
		return
	}
	switch x := v.Addr().Interface().(type) {
	case *metav1.Time, *metav1.MicroTime, *resource.Quantity, *zoov1.Tags, *zoov1.Token, *zoov1.Version, *zoov1.Point, *intstr.IntOrString, *runtime.RawExtension, *apiextensionsv1.JSON:
		if c.below(3) == 2 {
			c.fill(v)
		}
		return
	case *[]metav1.Condition:
		if c.below(3) == 2 {
			c.fillConditions(x)
		}
		return
	}
	switch v.Kind() {
	case reflect.Struct:
		for i := range v.NumField() {
			if field := v.Type().Field(i); field.IsExported() && field.Tag.Get("json") != "-" && c.below(3) != 0 {
				c.edit(v.Field(i))
			}
		}
	case reflect.Pointer:
		if !v.IsNil() {
			c.edit(v.Elem())
		}
	case reflect.Slice:
		c.editSlice(v)
	case reflect.Map:
		for _, key := range someKeys {
			at := reflect.ValueOf(key).Convert(v.Type().Key())
			if old := v.MapIndex(at); old.IsValid() && c.below(2) == 1 {
				value := reflect.New(v.Type().Elem()).Elem()
				value.Set(old)
				c.edit(value)
				v.SetMapIndex(at, value)
				if c.below(4) == 3 {
					v.SetMapIndex(at, reflect.Value{})
				}
			}
		}
	}
}

func (c *choices) editSlice(v reflect.Value) {
	for i := range v.Len() {
		if c.below(2) == 1 {
			c.edit(v.Index(i))
		}
	}
	if v.Len() > 1 && c.below(3) == 2 { // in another order
		swap := reflect.Swapper(v.Interface())
		swap(0, v.Len()-1)
	}
}

// settle makes sets and keyed lists obey their schema, which fill does not know.
func settle(lists *zoov1.Lists) {
	if lists == nil {
		return
	}
	lists.Set = distinct(lists.Set, func(s string) any { return valid(s) })
	lists.IntSet = distinct(lists.IntSet, func(n int32) any { return n })
	lists.RequiredSet = distinct(lists.RequiredSet, func(s string) any { return valid(s) })
	lists.Keyed = distinct(lists.Keyed, func(e zoov1.Entry) any { return valid(e.Name) })
	lists.TwoKeys = distinct(lists.TwoKeys, func(e zoov1.Endpoint) any { return [2]any{valid(e.Name), e.Port} })
}

// withoutNil drops nil values of a tree's maps: a patcher takes them for absent keys,
// which is what the server makes of them wherever it knows the schema.
func withoutNil(tree *zoov1.Tree) {
	if tree == nil {
		return
	}
	for name, below := range tree.ByName {
		if withoutNil(below); below == nil {
			delete(tree.ByName, name)
		}
	}
	withoutNil(tree.Left)
	for i := range tree.Children {
		withoutNil(&tree.Children[i])
	}
}

func distinct[L ~[]E, E any](list L, key func(E) any) L {
	seen := map[any]bool{}
	out := list[:0]
	for _, e := range list {
		if !seen[key(e)] {
			seen[key(e)] = true
			out = append(out, e)
		}
	}
	return out
}

// valid is a string as JSON has it.
func valid(s string) string { return strings.ToValidUTF8(s, "\uFFFD") }
