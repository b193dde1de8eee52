/// The sample tables of re-encoded frames. The durations are copied from the source. All other tables are created from
/// the new frames.
struct VideoTables {
  private var sizes: [Int] = []
  private var presentationTimes: [Int] = []
  private var syncSamples: [Int] = []

  mutating func append(size: Int, presentationTime: Int, isSync: Bool) {
    sizes.append(size)
    presentationTimes.append(presentationTime)
    if isSync { syncSamples.append(sizes.count) }
  }

  /// Writes the tables into a sample table atom, and removes the tables that describe the old compression.
  ///
  /// - Parameters:
  ///   - decodeTimes: The decoding times of all samples, in ticks.
  ///   - duration: The duration of the media, in ticks.
  ///   - isQuickTime: Whether the file follows QuickTime's rules, in which a version 0 table may contain negative
  ///     offsets.
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

  /// Returns `ctts` and `cslg` if the display time of any frame differs from its decoding time.
  ///
  /// In QuickTime files, offsets in a version 0 table are signed (QuickTime File Format, “Composition Offset Atom”). In
  /// other files, only version 1 tables have signed offsets (ISO/IEC 14496-12, section 8.6.1.3).
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
