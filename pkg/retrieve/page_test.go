package retrieve

import (
	"errors"
	"math"
	"slices"
	"strings"
	"testing"
	"testing/quick"
)

func numbers(n int) (list []int) {
	for i := range n {
		list = append(list, i)
	}
	return list
}

func TestPage(t *testing.T) {
	for _, c := range []struct {
		name          string
		n, page, size int
		first, items  int
		pages         int
		more          bool
	}{
		{"the first page", 12, 0, 5, 0, 5, 3, true},
		{"the second page is not the first again", 12, 1, 5, 5, 5, 3, true},
		{"the last page is shorter", 12, 2, 5, 10, 2, 3, false},
		{"a full last page", 10, 1, 5, 5, 5, 2, false},
		{"one page for all", 3, 0, 5, 0, 3, 1, false},
		{"pages of one", 3, 2, 1, 2, 1, 3, false},
		{"nothing found is one empty page", 0, 0, 5, 0, 0, 1, false},
		{"nothing found, pages of one", 0, 0, 1, 0, 0, 1, false},
		{"a huge page", 3, 0, math.MaxInt, 0, 3, 1, false},
	} {
		t.Run(c.name, func(t *testing.T) {
			got, err := Page(numbers(c.n), c.page, c.size)
			if err != nil {
				t.Fatal(err)
			}
			if len(got.Items) != c.items || c.items > 0 && got.Items[0] != c.first || got.Page != c.page || got.Pages != c.pages || got.More != c.more {
				t.Errorf("%+v, want %d items from %d of %d pages, more %v", got, c.items, c.first, c.pages, c.more)
			}
		})
	}
}

// An archival search that ignores its page argument answers page 7 with page 0.
func TestAPageBeyondTheEndSaysHowManyThereAre(t *testing.T) {
	for _, c := range []struct {
		n, page, size int
		want          error
		says          string
	}{
		{12, 3, 5, ErrPage, "page 3: there are 3 pages, numbers 0 to 2"},
		{12, -1, 5, ErrPage, "page -1: there are 3 pages, numbers 0 to 2"},
		{3, 1, 5, ErrPage, "page 1: there is 1 page, number 0"},
		{0, 1, 5, ErrPage, "page 1: there is 1 page, number 0"},
		{3, math.MaxInt, 1, ErrPage, "there are 3 pages"},
		{3, 0, 0, ErrCount, "page size 0: want at least 1"},
		{3, 0, -2, ErrCount, "page size -2: want at least 1"},
	} {
		got, err := Page(numbers(c.n), c.page, c.size)
		if !errors.Is(err, c.want) || !strings.Contains(err.Error(), c.says) || got.Items != nil {
			t.Errorf("page %d of %d by %d: %+v, error %v, want %q", c.page, c.n, c.size, got, err, c.says)
		}
	}
}

// All pages, one after the other, are the list.
func TestPagesAreTheWholeList(t *testing.T) {
	if err := quick.Check(func(n, s uint8) bool {
		size := 1 + int(s)%20
		var all []int
		for page := 0; ; page++ {
			p, err := Page(numbers(int(n)), page, size)
			if err != nil {
				return false
			}
			all = append(all, p.Items...)
			if !p.More {
				_, err := Page(numbers(int(n)), page+1, size)
				return p.Pages == page+1 && errors.Is(err, ErrPage) && slices.Equal(all, numbers(int(n)))
			}
		}
	}, nil); err != nil {
		t.Error(err)
	}
}

func TestAPageIsACopy(t *testing.T) {
	list := numbers(4)
	p, err := Page(list, 0, 2)
	if err != nil {
		t.Fatal(err)
	}
	_ = append(p.Items, 99)
	p.Items[0] = 99
	if !slices.Equal(list, numbers(4)) {
		t.Errorf("the list became %v", list)
	}
}
