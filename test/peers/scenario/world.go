// Package scenario has the situations in which the writers are compared.
package scenario

import (
	"context"
	"fmt"
	"strings"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	bootstrapv1 "sigs.k8s.io/cluster-api/api/bootstrap/kubeadm/v1beta2"
	controlplanev1 "sigs.k8s.io/cluster-api/api/controlplane/kubeadm/v1beta2"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"github.com/statuspatch/statuspatcher-gen/test/peers/measure"
	"github.com/statuspatch/statuspatcher-gen/test/realtypes"
	"github.com/statuspatch/statuspatcher-gen/test/realtypes/sample"
	"github.com/statuspatch/statuspatcher-gen/test/testenv"
)

// World is the API server, as the writers see it and as the one who checks them does.
type World struct {
	// writer is the client of the writers, whose traffic meter measures.
	writer client.Client
	meter  measure.Meter
	// admin prepares and checks, and is not measured.
	admin client.WithWatch
}

// NewWorld connects to the API server.
func NewWorld(ctx context.Context, env *testenv.Env) (*World, error) {
	scheme := runtime.NewScheme()
	if err := controlplanev1.AddToScheme(scheme); err != nil {
		return nil, err
	}
	w := &World{}
	config := env.NewConfig(nil)
	config.Wrap(w.meter.Wrap)
	var err error
	if w.writer, err = client.New(config, client.Options{Scheme: scheme}); err != nil {
		return nil, err
	}
	if w.admin, err = client.NewWithWatch(env.NewConfig(nil), client.Options{Scheme: scheme}); err != nil {
		return nil, err
	}
	// The first request of a client asks for the server's API, which no scenario is about.
	return w, w.writer.List(ctx, &controlplanev1.KubeadmControlPlaneList{})
}

// kubeadmControlPlane is the sample without what only a running cluster gives it.
func kubeadmControlPlane() *realtypes.KubeadmControlPlane {
	kcp := sample.KubeadmControlPlane()
	kcp.ObjectMeta = metav1.ObjectMeta{Namespace: "default", GenerateName: "control-plane-", Labels: kcp.Labels, Annotations: kcp.Annotations}
	kcp.Status.ObservedGeneration = 1
	for i := range kcp.Status.Conditions {
		kcp.Status.Conditions[i].ObservedGeneration = 1
	}
	return kcp
}

// large is a control plane whose spec has so many bytes that the object is close to 1 MiB.
func large() *realtypes.KubeadmControlPlane {
	const files, size = 110, 9 << 10
	kcp := kubeadmControlPlane()
	kcp.Spec.KubeadmConfigSpec.Files = nil
	for i := range files {
		kcp.Spec.KubeadmConfigSpec.Files = append(kcp.Spec.KubeadmConfigSpec.Files, bootstrapv1.File{
			Path: fmt.Sprintf("/etc/large/%d", i), Content: strings.Repeat("0123456789abcde\n", size/16),
		})
	}
	return kcp
}

// create stores an object with its status and gives it as it was stored.
func (w *World) create(ctx context.Context, kcp *realtypes.KubeadmControlPlane) (*realtypes.KubeadmControlPlane, error) {
	status := kcp.Status.DeepCopy()
	if err := w.admin.Create(ctx, kcp); err != nil {
		return nil, err
	}
	kcp.Status = *status
	return kcp, w.admin.Status().Update(ctx, kcp)
}

// stored is what the server has.
func (w *World) stored(ctx context.Context, kcp *realtypes.KubeadmControlPlane) (*realtypes.KubeadmControlPlane, error) {
	stored := &realtypes.KubeadmControlPlane{}
	return stored, w.admin.Get(ctx, client.ObjectKeyFromObject(kcp), stored)
}
