package generators

import (
	"go/token"

	"github.com/statuspatch/statuspatcher-gen/generators/load"
	"github.com/statuspatch/statuspatcher-gen/generators/model"
)

// nameTable knows the package-level names of output packages.
type nameTable struct {
	byDir map[string]map[string]token.Position
}

func newNameTable() *nameTable {
	return &nameTable{byDir: map[string]map[string]token.Position{}}
}

// taken returns where the output package of p declares name.
func (t *nameTable) taken(p *model.Package, name string) (token.Position, bool) {
	var except []string
	if p.Out.Dir == p.Source.Dir {
		if pos, ok := p.Source.Declared(name); ok {
			return pos, true
		}
		except = p.Source.FileNames()
	}
	pos, ok := t.in(p.Out, except...)[name]
	return pos, ok
}

// in returns what the files of an output package declare, but for those named in except.
func (t *nameTable) in(out model.Output, except ...string) map[string]token.Position {
	names, ok := t.byDir[out.Dir]
	if !ok {
		names = load.NamesInDir(out.Dir, out.Name, except...)
		t.byDir[out.Dir] = names
	}
	return names
}
