package generators_test

import (
	"context"
	"fmt"
	"os"
	"path/filepath"

	"github.com/statuspatch/statuspatcher-gen/generators"
)

// Generate returns files and problems and writes nothing, so that another
// generator can embed it and decide itself what to do with them.
func ExampleGenerate() {
	result, err := generators.Generate(context.Background(), generators.Options{
		Patterns: []string{"./testdata/constructs", "./testdata/nothing"},
	})
	if err != nil {
		fmt.Println(err)
		return
	}
	for _, d := range result.Diagnostics {
		fmt.Println(d)
	}

	result, err = generators.Generate(context.Background(), generators.Options{
		Patterns: []string{"./testdata/constructs"},
	})
	if err != nil {
		fmt.Println(err)
		return
	}
	for _, f := range result.Files {
		_, err := os.Stat(f.Path)
		fmt.Println(filepath.Base(f.Path), len(f.Content) > 0, os.IsNotExist(err))
	}
	// To write them: generators.Commit(result.Files)

	// Output:
	// testdata/nothing/types.go:3:4: package nothing has no root type with a status: remove +statuspatch=package, or add a field with the JSON name "status" to a root type
	// zz_generated.statuspatch.go true true
	// zz_generated.statuspatch_support.go true true
}
