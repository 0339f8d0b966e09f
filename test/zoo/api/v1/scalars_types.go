package v1

// Phase is a named string.
type Phase string

// Level is a named number.
type Level int32

// Ratio is a named float.
type Ratio float64

// Scalars are all scalars, left out where they are zero.
type Scalars struct {
	Bool    bool    `json:"bool,omitempty"`
	Int     int     `json:"int,omitempty"`
	Int8    int8    `json:"int8,omitempty"`
	Int16   int16   `json:"int16,omitempty"`
	Int32   int32   `json:"int32,omitempty"`
	Int64   int64   `json:"int64,omitempty"`
	Uint    uint    `json:"uint,omitempty"`
	Uint8   uint8   `json:"uint8,omitempty"`
	Uint16  uint16  `json:"uint16,omitempty"`
	Uint32  uint32  `json:"uint32,omitempty"`
	Uint64  uint64  `json:"uint64,omitempty"`
	Float32 float32 `json:"float32,omitempty"`
	Float64 float64 `json:"float64,omitempty"`
	String  string  `json:"string,omitempty"`
	Phase   Phase   `json:"phase,omitempty"`
	Level   Level   `json:"level,omitempty"`
	Ratio   Ratio   `json:"ratio,omitempty"`

	// +kubebuilder:validation:Schemaless
	// +kubebuilder:validation:Type=string
	QuotedInt int64 `json:"quotedInt,string,omitempty"`
	// +kubebuilder:validation:Schemaless
	// +kubebuilder:validation:Type=string
	QuotedBool bool `json:"quotedBool,omitempty,string"`
	// +kubebuilder:validation:Schemaless
	// +kubebuilder:validation:Type=string
	QuotedFloat  float64 `json:"quotedFloat,string,omitempty"`
	QuotedString string  `json:"quotedString,string,omitempty"`
}

// RequiredScalars are all scalars, all of them required.
type RequiredScalars struct {
	Bool    bool    `json:"bool"`
	Int8    int8    `json:"int8"`
	Int64   int64   `json:"int64"`
	Uint16  uint16  `json:"uint16"`
	Float32 float32 `json:"float32"`
	Float64 float64 `json:"float64"`
	String  string  `json:"string"`
	Phase   Phase   `json:"phase"`
	Level   Level   `json:"level"`
	// +kubebuilder:validation:Schemaless
	// +kubebuilder:validation:Type=string
	Quoted int32 `json:"quoted,string"`
	// Silent is required although its zero is left out.
	// +required
	Silent int32 `json:"silent,omitempty"`
}

// UnmarkedScalars are optional and nonetheless written when they are zero.
type UnmarkedScalars struct {
	// +optional
	Bool bool `json:"bool"`
	// +optional
	Int64 int64 `json:"int64"`
	// +optional
	String string `json:"string"`
	// +optional
	Float64 float64 `json:"float64"`
}

// Pointers are pointers to scalars and more.
type Pointers struct {
	Bool    *bool    `json:"bool,omitempty"`
	Int32   *int32   `json:"int32,omitempty"`
	Int64   *int64   `json:"int64,omitempty"`
	Uint32  *uint32  `json:"uint32,omitempty"`
	Float64 *float64 `json:"float64,omitempty"`
	String  *string  `json:"string,omitempty"`
	Phase   *Phase   `json:"phase,omitempty"`
	// +kubebuilder:validation:Schemaless
	// +kubebuilder:validation:Type=string
	Quoted *int64             `json:"quoted,omitempty,string"`
	List   *[]string          `json:"list,omitempty"`
	Map    *map[string]string `json:"map,omitempty"`
	Struct *Pair              `json:"struct,omitempty"`
	Twice  **int32            `json:"twice,omitempty"`
	// Explicit is written as null when it is nil.
	// +optional
	Explicit *int32 `json:"explicit"`
}

// Nullables can hold a null on the server.
type Nullables struct {
	// +required
	// +nullable
	Int32 *int32 `json:"int32"`
	// +required
	// +nullable
	List []string `json:"list"`
	// +required
	// +nullable
	Map map[string]string `json:"map"`
	// +required
	// +nullable
	Struct *Pair `json:"struct"`
	// +optional
	// +nullable
	Optional *string `json:"optional"`
	// +optional
	// +nullable
	Silent *string `json:"silent,omitempty"`
	// +optional
	// +nullable
	SilentList []string `json:"silentList,omitempty"`
}

// Defaults are filled in by the server.
type Defaults struct {
	// +kubebuilder:default=3
	Int32 int32 `json:"int32,omitempty"`
	// +kubebuilder:default=3
	Pointer *int32 `json:"pointer,omitempty"`
	// +kubebuilder:default="x"
	String string `json:"string,omitempty"`
	// +kubebuilder:default=true
	Bool bool `json:"bool,omitempty"`
	// +kubebuilder:default=true
	BoolPointer *bool `json:"boolPointer,omitempty"`
	// +kubebuilder:default=5
	// +optional
	Written int64 `json:"written"`
	// +kubebuilder:default={"a","b"}
	List []string `json:"list,omitempty"`
	// +kubebuilder:default={a:"1"}
	Map map[string]string `json:"map,omitempty"`
	// +kubebuilder:default={right:7}
	Struct *Pair `json:"struct,omitempty"`
	// +kubebuilder:default="9"
	// +kubebuilder:validation:Schemaless
	// +kubebuilder:validation:Type=string
	Quoted int64 `json:"quoted,string,omitempty"`
	// +kubebuilder:default="10m0s"
	Note  *string `json:"note,omitempty"`
	Other string  `json:"other,omitempty"`
}
