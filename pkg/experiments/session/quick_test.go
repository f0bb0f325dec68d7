package session
import ("testing";"fmt";"memlab/pkg/memory/memgpt/queue")
func TestQuick(t *testing.T) {
	for _, block := range []int{1,16} {
	for _, s := range []Setting{{.5,queue.Front,.65},{.1,queue.Front,.65},{.75,queue.Front,.65},{.5,queue.End,.65},{.5,queue.Log,.65},{.1,queue.End,.65},{.1,queue.Log,.65}} {
	for _, out := range []bool{false,true} {
		var calls, saved, pre, share, wp, ep, ev, ctx, rec, pe, pv, ex, sum,edits, flow float64
		n := 40
		for seed := range n {
			p := DefaultParameters(); p.Block = block
			x, err := Run(p, seed, s)
			if err != nil { t.Fatal(err) }
			f, err := x.Figures(out)
			if err != nil { t.Fatal(err) }
			N := float64(n)
			calls += float64(f.Totals.Calls)/N; saved += f.Saved/N; pre += float64(f.Totals.Prefilled)/N; share += f.WorkingShare/N
			wp += float64(f.WorkingPrefill)/N; ep += float64(f.EvictPrefill)/N; ev += float64(x.Evictions)/N; ctx += f.MeanContext/N
			rec += f.WorkingRecomputed/N; pe += f.PrefillPerEdit/N; pv += f.PrefillPerEviction/N; ex += f.ExactWorkingShare/N; sum += float64(f.SummarizerPrompt)/N; edits += float64(x.Edits())/N; flow += float64(x.Flow)/N
		}
		fmt.Printf("%d %v out=%v calls %.0f saved %.3f pre %.0f share %.3f wc %.0f ev %.0f n %.1f ctx %.0f rec %.0f perEdit %.0f perEv %.0f exact %.3f sum %.0f edits %.1f flow %.0f\n", block, s, out, calls, saved, pre, share, wp, ep, ev, ctx, rec, pe, pv, ex, sum, edits, flow)
	}}}
}
