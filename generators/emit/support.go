package emit

import (
	"io"

	"k8s.io/gengo/v2/generator"

	"github.com/statuspatch/statuspatcher-gen/templates"
)

// support generates the code that the patchers of a package share.
type support struct {
	generator.GoGenerator
	text []byte
}

func newSupport(opts Options) *support {
	return &support{generator.GoGenerator{OutputFilename: opts.SupportFile}, templates.SupportCopied}
}

// Init implements generator.Generator.
func (g *support) Init(_ *generator.Context, w io.Writer) error {
	_, err := w.Write(g.text)
	return err
}

// FileType implements generator.Generator.
func (g *support) FileType() string { return memoryFileType }

// SupportNames returns the package-level names that the support code declares
// where it is copied into a package.
func SupportNames() []string {
	return []string{
		"SkipStatusPatch", "StatusPatchClient", "StatusPatchLock", "StatusPatchLockFields", "StatusPatchLockNone",
		"StatusPatchLockObject", "StatusPatchResult", "WithStatusPatchBackoff", "WithStatusPatchLiveBase",
		"WithStatusPatchLock", "WithStatusPatchNow", "WithStatusPatchObservedGeneration", "WithStatusPatchReader",
		"WithStatusPatchResult", "WithStatusPatchSameGeneration",
	}
}
