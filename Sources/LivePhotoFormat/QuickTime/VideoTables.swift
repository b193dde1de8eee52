/// The sample tables of newly compressed frames. Durations stay the source's; the rest is made here.
struct VideoTables {
  private var sizes: [Int] = []
  private var presentationTimes: [Int] = []
  private var syncSamples: [Int] = []

  mutating func append(size: Int, presentationTime: Int, isSync: Bool) {
    sizes.append(size)
    presentationTimes.append(presentationTime)
    if isSync { syncSamples.append(sizes.count) }
  }

  /// Puts the tables into a sample table atom and removes those that told of the old compression.
  ///
  /// - Parameters:
  ///   - decodeTimes: decode times of all samples, in ticks.
  ///   - duration: the media's duration in ticks.
  ///   - isQuickTime: whether a version 0 table may hold negative offsets.
  func write(into stbl: inout Atom, decodeTimes: [Int], duration: Int, isQuickTime: Bool) throws {
    try stbl.remove(SampleTable.perSample.union(["stz2"]))
    try stbl.put(Atom("stsz", words: [0, 0, sizes.count] + sizes))
    var made = composition(decodeTimes: decodeTimes, duration: duration, isQuickTime: isQuickTime)
    if syncSamples.count != sizes.count {
      made.append(Atom("stss", words: [0, syncSamples.count] + syncSamples))
    }
    try stbl.changeChildren { children in
      let place = children.firstIndex { $0.kind == "stts" } ?? children.count - 1
      children.insert(contentsOf: made, at: place + 1)
    }
  }

  /// `ctts` and `cslg`, where any frame is shown at another time than it is decoded.
  ///
  /// Offsets are signed in a version 0 table, as QuickTime writes them (QuickTime File Format,
  /// “Composition Offset Atom”); in other files of the family only in version 1 (ISO/IEC 14496-12,
  /// section 8.6.1.3).
  private func composition(decodeTimes: [Int], duration: Int, isQuickTime: Bool) -> [Atom] {
    let offsets = zip(presentationTimes, decodeTimes).map { $0 - $1 }
    guard let least = offsets.min(), let greatest = offsets.max(), (least, greatest) != (0, 0) else {
      return []
    }
    let runs = [SampleTable.Run](offsets)
    let version = least < 0 && !isQuickTime ? 1 : 0
    let start = presentationTimes.min() ?? 0
    return [
      Atom("ctts", words: [version << 24, runs.count] + runs.flatMap { [$0.count, $0.value] }),
      Atom("cslg", words: [0, max(0, -least), least, greatest, start, start + duration]),
    ]
  }
}
