import IntervalTimeline

extension String {
  /// A name within a message: on one line, and short enough to keep the rest readable.
  var shownName: String { Columns.fitted(singleLine, to: 30) }
}
