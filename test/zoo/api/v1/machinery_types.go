package v1

import (
	corev1 "k8s.io/api/core/v1"
	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	"k8s.io/apimachinery/pkg/api/resource"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/apimachinery/pkg/util/intstr"
)

// Times are times and durations.
type Times struct {
	Time            metav1.Time       `json:"time,omitempty"`
	TimePointer     *metav1.Time      `json:"timePointer,omitempty"`
	Micro           metav1.MicroTime  `json:"micro,omitempty"`
	MicroPointer    *metav1.MicroTime `json:"microPointer,omitempty"`
	Duration        *metav1.Duration  `json:"duration,omitempty"`
	DurationByValue metav1.Duration   `json:"durationByValue,omitempty"`
}

// OwnJSON are types that write their own JSON, by value and pointer.
type OwnJSON struct {
	Quantity        resource.Quantity       `json:"quantity,omitempty"`
	QuantityPointer *resource.Quantity      `json:"quantityPointer,omitempty"`
	Quantities      corev1.ResourceList     `json:"quantities,omitempty"`
	QuantityList    []resource.Quantity     `json:"quantityList,omitempty"`
	Port            intstr.IntOrString      `json:"port,omitempty"`
	PortPointer     *intstr.IntOrString     `json:"portPointer,omitempty"`
	UID             types.UID               `json:"uid,omitempty"`
	Selector        *metav1.LabelSelector   `json:"selector,omitempty"`
	Reference       *corev1.ObjectReference `json:"reference,omitempty"`
	Version         Version                 `json:"version,omitempty"`
	VersionPointer  *Version                `json:"versionPointer,omitempty"`
	Point           Point                   `json:"point,omitempty"`
	PointPointer    *Point                  `json:"pointPointer,omitempty"`
	Tags            Tags                    `json:"tags,omitempty"`
	Token           Token                   `json:"token,omitempty"`
	VersionMap      map[string]Version      `json:"versionMap,omitempty"`
	VersionList     []Version               `json:"versionList,omitempty"`
	Required        resource.Quantity       `json:"required"`
}

// Opaque are values of no known structure.
type Opaque struct {
	// +kubebuilder:pruning:PreserveUnknownFields
	Raw runtime.RawExtension `json:"raw,omitempty"`
	// +kubebuilder:pruning:PreserveUnknownFields
	RawPointer  *runtime.RawExtension           `json:"rawPointer,omitempty"`
	JSON        apiextensionsv1.JSON            `json:"json,omitempty"`
	JSONPointer *apiextensionsv1.JSON           `json:"jsonPointer,omitempty"`
	JSONs       map[string]apiextensionsv1.JSON `json:"jsons,omitempty"`
	JSONList    []apiextensionsv1.JSON          `json:"jsonList,omitempty"`
}
