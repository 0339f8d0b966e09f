package conditions_test

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/client-go/rest"
	"sigs.k8s.io/controller-runtime/pkg/client"

	v1 "github.com/statuspatch/statuspatcher-gen/test/conditions/api/v1"
	"github.com/statuspatch/statuspatcher-gen/test/testenv"
)

// isMet is what `kubectl wait --for=condition=TYPE` asks of an object: that the condition
// is True, and was observed at the present generation where it says at which.
func isMet(obj *unstructured.Unstructured, conditionType string) (bool, error) {
	conditions, _, err := unstructured.NestedSlice(obj.Object, "status", "conditions")
	if err != nil {
		return false, err
	}
	for _, c := range conditions {
		c, ok := c.(map[string]any)
		if !ok {
			return false, fmt.Errorf("a condition is %T", c)
		}
		name, _, err := unstructured.NestedString(c, "type")
		if err != nil {
			return false, err
		}
		if !strings.EqualFold(name, conditionType) {
			continue
		}
		observed, found, err := unstructured.NestedInt64(c, "observedGeneration")
		if err != nil {
			return false, err
		}
		if !found {
			observed, found, err = unstructured.NestedInt64(obj.Object, "status", "observedGeneration")
		}
		if err != nil || found && observed < obj.GetGeneration() {
			return false, err
		}
		status, _, err := unstructured.NestedString(c, "status")
		return strings.EqualFold(status, "True"), err
	}
	return false, nil
}

// waitFor watches an object until isMet, as kubectl wait does, and returns how many events that took.
func waitFor(ctx context.Context, c client.WithWatch, obj *v1.Backup, conditionType string) (int, error) {
	list := &unstructured.UnstructuredList{}
	list.SetGroupVersionKind(v1.GroupVersion.WithKind("BackupList"))
	w, err := c.Watch(ctx, list, client.InNamespace(obj.Namespace), client.MatchingFields{"metadata.name": obj.Name})
	if err != nil {
		return 0, err
	}
	defer w.Stop()
	events := 0
	for event := range w.ResultChan() {
		seen, ok := event.Object.(*unstructured.Unstructured)
		if !ok {
			return events, fmt.Errorf("watch: %v", event)
		}
		events++
		if met, err := isMet(seen, conditionType); met || err != nil {
			return events, err
		}
	}
	return events, fmt.Errorf("the watch ended unmet: %w", ctx.Err())
}

func TestKubectlWait(t *testing.T) {
	b, env := newServer(t), testenv.Require(t)
	backup := create(t, b, &v1.Backup{ObjectMeta: metav1.ObjectMeta{Name: "b"}}, nil)
	ctx, cancel := context.WithTimeout(t.Context(), 30*time.Second)
	defer cancel()
	type outcome struct {
		events int
		err    error
	}
	met := make(chan outcome, 1)
	go func() {
		events, err := waitFor(ctx, env.NewClient(t, newScheme(), nil), backup, "Ready")
		met <- outcome{events, err}
	}()
	notMet := func(state string) {
		t.Helper()
		select {
		case got := <-met:
			t.Fatalf("%s: waited enough: %+v", state, got)
		case <-time.After(200 * time.Millisecond):
		}
	}
	set := func(obj *v1.Backup, status metav1.ConditionStatus) {
		t.Helper()
		if err := v1.PatchBackupStatus(t.Context(), b.client, obj, func(p *v1.BackupStatusPatch) error {
			p.SetReadyCondition(status, v1.BackupReadyConditionReasonAllReady, "")
			return nil
		}); err != nil {
			t.Fatal(err)
		}
	}
	set(backup, "False")
	notMet("False")
	old := backup.DeepCopy()
	backup = respecified(t, b, backup, func(o *v1.Backup) { o.Spec.Size++ })
	set(old, "True") // retried, and still says for which generation it was computed
	notMet("True for the generation before")
	set(backup, "True")
	if got := <-met; got.err != nil {
		t.Fatal(got.err)
	}
}

// columns are the cells that `kubectl get` prints for an object.
func columns(t *testing.T, config *rest.Config, obj *v1.Backup) map[string]any {
	t.Helper()
	c, err := rest.HTTPClientFor(config)
	if err != nil {
		t.Fatal(err)
	}
	url := fmt.Sprintf("%s/apis/%s/namespaces/%s/backups/%s", strings.TrimSuffix(config.Host, "/"), v1.GroupVersion, obj.Namespace, obj.Name)
	if !strings.HasPrefix(url, "http") {
		url = "https://" + url
	}
	req, err := http.NewRequestWithContext(t.Context(), http.MethodGet, url, nil)
	if err != nil {
		t.Fatal(err)
	}
	req.Header.Set("Accept", "application/json;as=Table;v=v1;g=meta.k8s.io")
	resp, err := c.Do(req)
	if err != nil {
		t.Fatal(err)
	}
	defer resp.Body.Close()
	raw, err := io.ReadAll(resp.Body)
	if err != nil {
		t.Fatal(err)
	}
	var table metav1.Table
	if err := json.Unmarshal(raw, &table); err != nil || len(table.Rows) != 1 {
		t.Fatalf("%s: %v: %s", resp.Status, err, raw)
	}
	cells := map[string]any{}
	for i, column := range table.ColumnDefinitions {
		cells[column.Name] = table.Rows[0].Cells[i]
	}
	return cells
}

func TestPrinterColumns(t *testing.T) {
	b, env := newServer(t), testenv.Require(t)
	backup := create(t, b, &v1.Backup{ObjectMeta: metav1.ObjectMeta{Name: "b"}}, nil)
	hour := v1.WithStatusPatchNow(func() time.Time { return time.Now().Add(-time.Hour) })
	for _, step := range []struct {
		edit func(*v1.BackupStatusPatch)
		want map[string]any
	}{
		{func(*v1.BackupStatusPatch) {}, map[string]any{"Name": "b", "Ready": nil, "Reason": nil, "Since": nil}},
		{
			func(p *v1.BackupStatusPatch) {
				p.SetSyncedCondition("Unknown", "First", "")
				p.SetReadyCondition("False", v1.BackupReadyConditionReasonScaling, "")
			},
			map[string]any{"Name": "b", "Ready": "False", "Reason": "Scaling", "Since": "60m"},
		},
		{
			func(p *v1.BackupStatusPatch) {
				p.SetReadyCondition("False", v1.BackupReadyConditionReasonAllReady, "")
			},
			map[string]any{"Name": "b", "Ready": "False", "Reason": "AllReady", "Since": "60m"},
		},
		{func(p *v1.BackupStatusPatch) { p.RemoveReadyCondition() }, map[string]any{"Name": "b", "Ready": nil, "Reason": nil, "Since": nil}},
	} {
		if err := v1.PatchBackupStatus(t.Context(), b.client, backup, func(p *v1.BackupStatusPatch) error {
			step.edit(p)
			return nil
		}, hour); err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(step.want, columns(t, env.Config, backup)); diff != "" {
			t.Error(diff)
		}
	}
}
