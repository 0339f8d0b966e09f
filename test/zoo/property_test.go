package zoo_test

import (
	"math/rand/v2"
	"testing"
)

// pairs is how many random pairs of statuses each property test looks at.
const pairs = 400

func TestLawsOfZoos(t *testing.T)  { testLaws(t, &zoos) }
func TestLawsOfCages(t *testing.T) { testLaws(t, &cages) }

func testLaws[T, S any](t *testing.T, s *species[T, S]) {
	sch, err := readSchema(s.crd)
	if err != nil {
		t.Fatal(err)
	}
	for _, lock := range locks {
		t.Run(string(lock), func(t *testing.T) {
			used := 0
			for seed := uint64(0); used < pairs; seed++ {
				if seed > 100*pairs {
					t.Fatalf("only %d of %d random pairs are accepted by the schema", used, seed)
				}
				if checkLaws(t, s, sch, lock, randomBytes(seed)) {
					used++
				}
				if t.Failed() {
					t.Fatalf("seed %d", seed)
				}
			}
		})
	}
}

// randomBytes are bytes to make choices of, fewer or more.
func randomBytes(seed uint64) []byte {
	r := rand.New(rand.NewPCG(seed, 1))
	data := make([]byte, 16<<(seed%9))
	for i := range data {
		data[i] = byte(r.Uint32())
	}
	return data
}

func FuzzZoo(f *testing.F)  { fuzzLaws(f, &zoos) }
func FuzzCage(f *testing.F) { fuzzLaws(f, &cages) }

// fuzzLaws lets the fuzzer choose the lock and both statuses.
func fuzzLaws[T, S any](f *testing.F, s *species[T, S]) {
	sch, err := readSchema(s.crd)
	if err != nil {
		f.Fatal(err)
	}
	for seed := range uint64(18) {
		f.Add(uint8(seed), randomBytes(seed))
	}
	f.Fuzz(func(t *testing.T, lock uint8, data []byte) {
		checkLaws(t, s, sch, locks[int(lock)%len(locks)], data)
	})
}
