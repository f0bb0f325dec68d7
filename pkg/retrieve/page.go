package retrieve

import "slices"

// Pages is one page of a ranked list.
type Pages[T any] struct {
	Items []T  `json:"items"`
	Page  int  `json:"page"`  // its number, from 0
	Pages int  `json:"pages"` // in total, at least 1
	More  bool `json:"more"`  // whether a page follows
}

// Page cuts a ranked list into pages of size items and returns one, numbered
// from 0; only the last may be shorter. An empty list is one empty page. A page
// that does not exist is [ErrPage], never the first page again.
func Page[T any](hits []T, page, size int) (Pages[T], error) {
	if err := checkCount("page size", size); err != nil {
		return Pages[T]{}, err
	}
	pages := max(1, (len(hits)-1)/size+1)
	if page < 0 || page >= pages {
		if pages == 1 {
			return Pages[T]{}, fail(ErrPage, "page %d: there is 1 page, number 0", page)
		}
		return Pages[T]{}, fail(ErrPage, "page %d: there are %d pages, numbers 0 to %d", page, pages, pages-1)
	}
	from := page * size
	to := min(len(hits), from+min(size, len(hits)))
	return Pages[T]{
		Items: slices.Clone(hits[from:to]), Page: page, Pages: pages, More: page+1 < pages,
	}, nil
}
