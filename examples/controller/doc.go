// Package controller holds two reconcilers that write status through generated patchers.
//
// MachinePoolReconciler uses the closure form: it computes everything first and then
// writes it in one call. RegionReconciler uses the deferred form: it takes a patcher at
// the start, edits the status along the way, and writes it at the end.
//
// A machine is a ConfigMap here, so that the example runs on any cluster, even one
// without nodes: it is ready once something sets its annotation
// example.statuspatch.dev/ready to "true".
package controller
