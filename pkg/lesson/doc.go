// Package lesson draws the figures and tables of the lecture's sections from
// what the other packages compute. It is for the notebooks and for class
// pages: a cell computes, lesson shows. Each function is one figure
// (chart.Figure) or one table (table.Table) and takes the engine or the
// results that it shows. Building one costs the evaluations it asks for,
// microseconds each; drawing is chart's. The sections are numbered as in the
// lecture.
package lesson
