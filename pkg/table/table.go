// Package table holds one table of results and writes it in the ways the lab
// needs: plain text for a terminal, HTML for a notebook, CSV for a spreadsheet.
// It exists so that a package returns values, one function formats them, and
// the same table reads the same on the command line and in a lesson. The main
// type is Table; cells are text, formatted by whoever knows the unit. Cost is
// linear in the cells. Widths follow Unicode Standard Annex #11, so that
// Chinese columns line up in a terminal.
package table

import (
	"encoding/csv"
	"fmt"
	"html"
	"io"
	"net/url"
	"slices"
	"strings"
	"unicode"

	"github.com/rivo/uniseg"
)

// Table is a title, the names of its columns and its rows; a row that is
// shorter than Columns is filled with empty cells.
type Table struct {
	Title   string     `json:"title,omitempty"`
	Columns []string   `json:"columns"`
	Rows    [][]string `json:"rows"`
	// Quoted names the columns whose cells are somebody's words, as the
	// messages of a dialogue: they are shown as they are in every language.
	Quoted []string `json:"-"`
	// Links are the addresses behind cells, in any order.
	Links []CellLink `json:"links,omitempty"`
}

// Link is a cell that leads somewhere. In HTML its text can be clicked; text
// and CSV show the text alone.
type Link struct{ Text, Address string }

// String is the text of the cell.
func (l Link) String() string { return l.Text }

// CellLink is the address behind one cell, both counted from 0.
type CellLink struct {
	Row     int    `json:"row"`
	Column  int    `json:"column"`
	Address string `json:"address"`
}

// checkAddress allows pages of the web and files beside the notebook, so that
// no cell can run a script when it is clicked.
func checkAddress(address string) error {
	u, err := url.Parse(address)
	switch {
	case err != nil:
		return fmt.Errorf("table: link %q: %w", address, err)
	case strings.Contains(address, `\`): // a browser reads it as a slash, and two of them as another host
		return fmt.Errorf(`table: link %q: want an address without \`, address)
	case address == "" || strings.ContainsFunc(address, unicode.IsSpace):
		return fmt.Errorf("table: link %q: want an address without spaces", address)
	case (u.Scheme == "https" || u.Scheme == "http") && u.Host != "" && u.User == nil:
		return nil
	case u.Scheme == "" && u.Host == "" && !strings.HasPrefix(u.Path, "/"):
		return nil
	}
	return fmt.Errorf("table: link %q: want http, https or a file beside the notebook", address)
}

// New returns an empty table with the given column names.
func New(title string, columns ...string) Table {
	return Table{Title: title, Columns: columns}
}

// Add appends a row; each cell is written as fmt.Sprint does, and a Link keeps its
// address. More cells than columns are a mistake of the caller that no output could
// show, as is an address that is none.
func (t *Table) Add(cells ...any) error {
	if len(cells) > len(t.Columns) {
		return fmt.Errorf("table: %d cells for %d columns (%s)", len(cells), len(t.Columns), strings.Join(t.Columns, ", "))
	}
	row := make([]string, len(t.Columns))
	var links []CellLink
	for i, c := range cells {
		row[i] = fmt.Sprint(c)
		if l, ok := c.(Link); ok {
			if err := checkAddress(l.Address); err != nil {
				return err
			}
			links = append(links, CellLink{Row: len(t.Rows), Column: i, Address: l.Address})
		}
	}
	t.Rows = append(t.Rows, row)
	t.Links = append(t.Links, links...)
	return nil
}

// Translate returns the table with every text that holds a letter passed
// through translate, but for what is quoted; the first error, which names its
// text, is returned.
func (t Table) Translate(translate func(string) (string, error)) (Table, error) {
	var first error
	tr := func(s string) string {
		if strings.IndexFunc(s, unicode.IsLetter) < 0 {
			return s
		}
		out, err := translate(s)
		if err != nil && first == nil {
			first = err
		}
		return out
	}
	out := Table{Title: tr(t.Title), Links: t.Links}
	for _, c := range t.Columns {
		out.Columns = append(out.Columns, tr(c))
	}
	for _, row := range t.Rows {
		var r []string
		for i, c := range row {
			if i >= len(t.Columns) {
				break // no output shows it
			}
			if !slices.Contains(t.Quoted, t.Columns[i]) {
				c = tr(c)
			}
			r = append(r, c)
		}
		out.Rows = append(out.Rows, r)
	}
	return out, first
}

// numeric says for each column whether all its cells begin like a number,
// which is what is aligned to the right.
func (t Table) numeric() []bool {
	out := make([]bool, len(t.Columns))
	for i := range t.Columns {
		out[i] = len(t.Rows) > 0
		for _, row := range t.Rows {
			if i < len(row) && row[i] != "" && !strings.ContainsAny(row[i][:1], "0123456789-+.") && row[i] != "–" {
				out[i] = false
			}
		}
	}
	return out
}

// Text writes the table for a terminal: columns padded to the same display
// width, numbers to the right, a rule under the names.
func (t Table) Text() string {
	widths := make([]int, len(t.Columns))
	for _, row := range append([][]string{t.Columns}, t.Rows...) {
		for i, c := range row[:min(len(row), len(widths))] {
			widths[i] = max(widths[i], uniseg.StringWidth(c))
		}
	}
	numeric := t.numeric()
	var b strings.Builder
	if t.Title != "" {
		b.WriteString(t.Title + "\n")
	}
	line := func(row []string) {
		var l strings.Builder
		for i, width := range widths {
			var c string
			if i < len(row) {
				c = row[i]
			}
			pad := strings.Repeat(" ", width-uniseg.StringWidth(c))
			if i > 0 {
				l.WriteString("  ")
			}
			if numeric[i] {
				l.WriteString(pad + c)
			} else {
				l.WriteString(c + pad)
			}
		}
		b.WriteString(strings.TrimRight(l.String(), " ") + "\n")
	}
	line(t.Columns)
	rule := make([]string, len(widths))
	for i, width := range widths {
		rule[i] = strings.Repeat("-", width)
	}
	line(rule)
	for _, row := range t.Rows {
		line(row)
	}
	return b.String()
}

// HTML writes the table for a notebook. It uses elements and attributes only
// that JupyterLab keeps in a notebook which it does not trust.
func (t Table) HTML() string {
	numeric := t.numeric()
	var b strings.Builder
	b.WriteString("<table>\n")
	if t.Title != "" {
		fmt.Fprintf(&b, "<caption>%s</caption>\n", html.EscapeString(t.Title))
	}
	addresses := map[[2]int]string{}
	for _, l := range t.Links {
		// A table may be put together without Add: what Add would refuse stays text.
		if checkAddress(l.Address) == nil {
			addresses[[2]int{l.Row, l.Column}] = l.Address
		}
	}
	line := func(tag string, at int, row []string) {
		b.WriteString("<tr>")
		for i := range t.Columns {
			var c string
			if i < len(row) {
				c = row[i]
			}
			align := "left"
			if numeric[i] {
				align = "right"
			}
			text := html.EscapeString(c)
			if address, ok := addresses[[2]int{at, i}]; ok {
				text = fmt.Sprintf(`<a href="%s">%s</a>`, html.EscapeString(address), text)
			}
			fmt.Fprintf(&b, `<%s style="text-align:%s">%s</%s>`, tag, align, text, tag)
		}
		b.WriteString("</tr>\n")
	}
	b.WriteString("<thead>")
	line("th", -1, t.Columns)
	b.WriteString("</thead>\n<tbody>\n")
	for at, row := range t.Rows {
		line("td", at, row)
	}
	b.WriteString("</tbody>\n</table>")
	return b.String()
}

// WriteCSV writes the names of the columns and the rows as RFC 4180 says.
func (t Table) WriteCSV(w io.Writer) error {
	c := csv.NewWriter(w)
	if err := c.Write(t.Columns); err != nil {
		return fmt.Errorf("table: %w", err)
	}
	if err := c.WriteAll(t.Rows); err != nil {
		return fmt.Errorf("table: %w", err)
	}
	return nil
}
