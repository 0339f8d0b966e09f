package diag

import (
	"fmt"
	"slices"
	"strings"
)

// DidYouMean returns `; did you mean "x"?` for the candidate nearest to name,
// or, where none is near, the list of a few candidates, or "".
func DidYouMean(name string, candidates []string) string {
	if best := Nearest(name, candidates); best != "" {
		return fmt.Sprintf("; did you mean %q?", best)
	}
	const few = 12
	if len(candidates) == 0 || len(candidates) > few {
		return ""
	}
	known := slices.Clone(candidates)
	slices.Sort(known)
	return "; known are " + strings.Join(known, ", ")
}

// Nearest returns the candidate that name was most likely meant to be, or ""
// if none is near. Of equally near ones the first in candidates wins.
func Nearest(name string, candidates []string) string {
	best, bestDist := "", len(name)
	for _, c := range candidates {
		d := Distance(strings.ToLower(name), strings.ToLower(c))
		if d < bestDist && d <= tolerance(name, c) {
			best, bestDist = c, d
		}
	}
	return best
}

// tolerance is the number of edits that still make a typo: one in three letters.
func tolerance(a, b string) int {
	return max(1, max(len(a), len(b))/3)
}

// Distance is the Damerau-Levenshtein distance of adjacent transpositions
// ("optimal string alignment"): a swapped pair is the commonest typo.
func Distance(a, b string) int {
	s, t := []rune(a), []rune(b)
	before, prev, cur := make([]int, len(t)+1), make([]int, len(t)+1), make([]int, len(t)+1)
	for j := range prev {
		prev[j] = j
	}
	for i := 1; i <= len(s); i++ {
		cur[0] = i
		for j := 1; j <= len(t); j++ {
			cost := 1
			if s[i-1] == t[j-1] {
				cost = 0
			}
			cur[j] = min(prev[j]+1, cur[j-1]+1, prev[j-1]+cost)
			if i > 1 && j > 1 && s[i-1] == t[j-2] && s[i-2] == t[j-1] {
				cur[j] = min(cur[j], before[j-2]+1)
			}
		}
		before, prev, cur = prev, cur, before
	}
	return prev[len(t)]
}
