package writers

import (
	"context"

	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime"
	controlplanev1 "sigs.k8s.io/cluster-api/api/controlplane/kubeadm/v1beta2"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"github.com/statuspatch/statuspatcher-gen/test/realtypes"
)

// apply is server-side apply of what the edit is about, whatever of it changed, by a
// field owner for each writer. It is forced, as controllers are advised to do.
func apply(ctx context.Context, c client.Client, kcp *realtypes.KubeadmControlPlane, edit Edit, owner string) error {
	types := edit.conditionTypes(&kcp.Status)
	edit.byHand(kcp)
	status, err := applied(&kcp.Status, edit, types)
	if err != nil {
		return err
	}
	object := &unstructured.Unstructured{Object: map[string]any{"status": status}}
	object.SetGroupVersionKind(controlplanev1.GroupVersion.WithKind("KubeadmControlPlane"))
	object.SetNamespace(kcp.Namespace)
	object.SetName(kcp.Name)
	return c.Status().Apply(ctx, client.ApplyConfigurationFromUnstructured(object), client.FieldOwner(owner), client.ForceOwnership)
}

// applied is the part of a status that an edit is about.
func applied(status *Status, edit Edit, types []string) (map[string]any, error) {
	whole, err := runtime.DefaultUnstructuredConverter.ToUnstructured(status)
	if err != nil {
		return nil, err
	}
	names := append([]string{"observedGeneration"}, edit.PlainFields...)
	if edit.Counters != nil {
		names = append(names, "replicas", "readyReplicas", "availableReplicas", "upToDateReplicas")
	}
	part := map[string]any{}
	for _, name := range names {
		if value, ok := whole[name]; ok {
			part[name] = value
		}
	}
	if edit.Counters != nil {
		if err := applyOldCounters(part, whole); err != nil {
			return nil, err
		}
	}
	if len(types) > 0 {
		part["conditions"] = conditionsOf(whole, types)
	}
	return part, nil
}

// applyOldCounters copies the counters for readers of v1beta1.
func applyOldCounters(part, whole map[string]any) error {
	for _, name := range []string{"updatedReplicas", "readyReplicas", "unavailableReplicas"} {
		value, found, err := unstructured.NestedInt64(whole, "deprecated", "v1beta1", name)
		if err != nil {
			return err
		}
		if !found {
			continue
		}
		if err := unstructured.SetNestedField(part, value, "deprecated", "v1beta1", name); err != nil {
			return err
		}
	}
	return nil
}

// conditionsOf are the conditions of these types.
func conditionsOf(whole map[string]any, types []string) []any {
	wanted := map[string]bool{}
	for _, t := range types {
		wanted[t] = true
	}
	all, _ := whole["conditions"].([]any) // a status without conditions has none
	var found []any
	for _, c := range all {
		if entry, ok := c.(map[string]any); ok {
			if t, ok := entry["type"].(string); ok && wanted[t] {
				found = append(found, entry)
			}
		}
	}
	return found
}
