import IntervalTimeline

/// A block for formats that repeat phases and know of no last set that differs.
struct SetParts {
  let sets: Int
  let phases: [Phase]

  static func of(_ block: Block, _ losses: inout ConversionWarnings) -> [SetParts] {
    let all = block.steps.map(\.phase)
    if block.numbering != nil { losses.note("the numbers of sets that are done once are not kept") }
    guard let sets = block.sets, sets > 1 else { return [SetParts(sets: 1, phases: all)] }
    let last = block.steps.filter { !$0.skippedInLastSet }.map(\.phase)
    guard last.count < all.count || block.between != nil else {
      return [SetParts(sets: sets, phases: all)]
    }
    losses.note("a last set that differs from the others is written after them")
    return [
      SetParts(sets: sets - 1, phases: all + [block.between].compactMap { $0 }),
      SetParts(sets: 1, phases: last),
    ]
  }
}
