import IntervalTimeline

extension String {
  /// A name within a message: on one line, and so short that the rest is read.
  var shownName: String { Columns.fitted(singleLine, to: 30) }
}
