package sources

import (
	"bytes"
	"encoding/csv"
	"errors"
	"fmt"
	"io"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"memlab/datasets"
	"memlab/pkg/claims"
)

// Work says where a source puts the work, or what else it is about.
type Work string

// The kinds of work: when memory is written, when it is read, both; how it is
// served; how it is measured; how a model is trained.
const (
	Write   Work = "write"
	Read    Work = "read"
	Both    Work = "both"
	Serve   Work = "serve"
	Measure Work = "measure"
	Train   Work = "train"
)

// Works lists the kinds of work.
func Works() []Work { return []Work{Write, Read, Both, Serve, Measure, Train} }

// Time says for whom a source is: who has an hour reads only those, an
// afternoon adds more, a week the rest.
type Time string

// The times.
const (
	Hour      Time = "hour"
	Afternoon Time = "afternoon"
	Week      Time = "week"
)

// Times lists the times from the shortest.
func Times() []Time { return []Time{Hour, Afternoon, Week} }

// Text is a sentence in both languages of the lab.
type Text struct{ EN, ZH string }

// In returns the text in the language, "zh" or else English.
func (t Text) In(lang string) string {
	if lang == "zh" {
		return t.ZH
	}
	return t.EN
}

// Source is one paper. Section is where the lecture uses it.
type Source struct {
	Short     string // the name by which everybody calls it
	Authors   string
	Title     string
	Year      int    // of the venue, or of the preprint
	Venue     string // empty for a preprint
	ArXiv     string // empty where there is none
	DOI       string
	Code      string // address of a repository, may be empty
	Work      Work
	Time      Time
	Section   string
	Packages  []string // below pkg
	Notebooks []string // two digits each
	Gave      Text     // what this lecture has from it
	Read      Text     // what to look for in it
	Look      Text     // what to look for in the code
}

// Address is where the paper is: arXiv's page, or that of its DOI.
func (s Source) Address() string {
	if s.ArXiv != "" {
		return "https://arxiv.org/abs/" + s.ArXiv
	}
	return "https://doi.org/" + s.DOI
}

// Identifier is the paper's name in its archive.
func (s Source) Identifier() string {
	if s.ArXiv != "" {
		return "arXiv:" + s.ArXiv
	}
	return "doi:" + s.DOI
}

// Date is when the paper was first out, in years: the month is that of its arXiv
// number (2310 is October 2023), or the middle of its year where there is no number
// of that form.
func (s Source) Date() float64 {
	if !arXivNumber.MatchString(s.ArXiv) {
		return float64(s.Year) + 0.5
	}
	year, _ := strconv.Atoi(s.ArXiv[:2])
	month, _ := strconv.Atoi(s.ArXiv[2:4])
	return 2000 + float64(year) + (float64(month)-0.5)/12
}

// All returns the sources of datasets/sources.csv.
func All() ([]Source, error) {
	return ReadSources("datasets/sources.csv", bytes.NewReader(datasets.Sources))
}

// Find returns the source of that name; an unknown one is an error that lists them.
func Find(short string) (Source, error) {
	all, err := All()
	if err != nil {
		return Source{}, err
	}
	var known []string
	for _, s := range all {
		if s.Short == short {
			return s, nil
		}
		known = append(known, s.Short)
	}
	return Source{}, fmt.Errorf("sources: no source %q: want one of %s", short, strings.Join(known, ", "))
}

// Quoted are the numbers that the lecture quotes from the source.
func (s Source) Quoted() ([]claims.PaperResult, error) {
	results, err := claims.PaperResults()
	if err != nil {
		return nil, fmt.Errorf("sources: %w", err)
	}
	return slices.DeleteFunc(results, func(r claims.PaperResult) bool { return s.ArXiv == "" || r.ArXiv != s.ArXiv }), nil
}

var columns = []string{
	"short", "authors", "title", "year", "venue", "arxiv", "doi", "code", "work", "time", "section",
	"packages", "notebooks", "gave_en", "gave_zh", "read_en", "read_zh", "look_en", "look_zh",
}

var (
	arXivNumber = regexp.MustCompile(`^\d{2}(0[1-9]|1[0-2])\.\d{4,5}$`)
	doiName     = regexp.MustCompile(`^10\.\d{4,9}/\S+$`)
	webAddress  = regexp.MustCompile(`^https://[a-z0-9.-]+/\S+$`)
	twoDigits   = regexp.MustCompile(`^\d\d$`)
)

// ReadSources reads sources and reports everything that is wrong with them at
// once, each problem with file and line.
func ReadSources(file string, r io.Reader) ([]Source, error) {
	c := csv.NewReader(r)
	names, err := c.Read()
	if err != nil {
		return nil, fmt.Errorf("%s:1: no line with the names of the columns: %w", file, err)
	}
	if !slices.Equal(names, columns) {
		return nil, fmt.Errorf("%s:1: columns %s: want %s", file, strings.Join(names, ","), strings.Join(columns, ","))
	}
	var out []Source
	var problems []error
	first := map[string]int{}
	for {
		cells, err := c.Read()
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			return nil, fmt.Errorf("%s: %w", file, err)
		}
		line, _ := c.FieldPos(0)
		cell := map[string]string{}
		for i, name := range names {
			cell[name] = cells[i]
		}
		s, err := parse(cell)
		if at, taken := first[s.Short]; taken {
			err = errors.Join(err, fmt.Errorf("short %q is taken by line %d", s.Short, at))
		}
		first[s.Short] = line
		if err != nil {
			problems = append(problems, fmt.Errorf("%s:%d: %w", file, line, err))
		}
		out = append(out, s)
	}
	if err := errors.Join(problems...); err != nil {
		return nil, err
	}
	return out, nil
}

func parse(cell map[string]string) (Source, error) {
	s := Source{
		Short: cell["short"], Authors: cell["authors"], Title: cell["title"], Venue: cell["venue"],
		ArXiv: cell["arxiv"], DOI: cell["doi"], Code: cell["code"], Work: Work(cell["work"]), Time: Time(cell["time"]),
		Section: cell["section"], Packages: strings.Fields(cell["packages"]), Notebooks: strings.Fields(cell["notebooks"]),
		Gave: Text{cell["gave_en"], cell["gave_zh"]}, Read: Text{cell["read_en"], cell["read_zh"]}, Look: Text{cell["look_en"], cell["look_zh"]},
	}
	for _, name := range []string{"short", "authors", "title", "section", "gave_en", "gave_zh", "read_en", "read_zh"} {
		if cell[name] == "" {
			return s, fmt.Errorf("%s is empty", name)
		}
	}
	year, err := strconv.Atoi(cell["year"])
	switch s.Year = year; {
	case err != nil || year < 1950 || year > 2100:
		return s, fmt.Errorf("year %q: want a year such as 2025", cell["year"])
	case s.ArXiv == "" && s.DOI == "":
		return s, errors.New("arxiv and doi are empty: want one of them")
	case s.ArXiv != "" && !arXivNumber.MatchString(s.ArXiv):
		return s, fmt.Errorf("arxiv %q: want a number such as 2310.08560", s.ArXiv)
	case s.DOI != "" && !doiName.MatchString(s.DOI):
		return s, fmt.Errorf("doi %q: want a name such as 10.1145/1498765.1498785", s.DOI)
	case s.Code != "" && !webAddress.MatchString(s.Code):
		return s, fmt.Errorf("code %q: want an address that begins with https://", s.Code)
	case (s.Code == "") != (s.Look.EN == "") || (s.Code == "") != (s.Look.ZH == ""):
		return s, errors.New("look_en and look_zh: want both where there is code, and none else")
	case !slices.Contains(Works(), s.Work):
		return s, fmt.Errorf("work %q: want one of %q", s.Work, Works())
	case !slices.Contains(Times(), s.Time):
		return s, fmt.Errorf("time %q: want one of %q", s.Time, Times())
	}
	for _, n := range s.Notebooks {
		if !twoDigits.MatchString(n) {
			return s, fmt.Errorf("notebook %q: want two digits", n)
		}
	}
	return s, nil
}
