/// The sample tables of newly compressed frames. Durations stay the source's; the rest is made here.
struct VideoTables {
  private var sizes: [UInt32] = []
  private var presentationTimes: [Int] = []
  private var syncSamples: [UInt32] = []

  var count: Int { sizes.count }

  mutating func append(size: UInt32, presentationTime: Int, isSync: Bool) {
    sizes.append(size)
    presentationTimes.append(presentationTime)
    if isSync { syncSamples.append(UInt32(truncatingIfNeeded: sizes.count)) }
  }

  /// Puts the tables into a sample table atom and removes those that told of the old compression.
  ///
  /// - Parameters:
  ///   - stbl: the source's sample table.
  ///   - decodeTimes: decode times of all samples, in ticks.
  ///   - duration: the media's duration in ticks.
  ///   - isQuickTime: whether a version 0 table may hold negative offsets.
  func write(into stbl: inout Atom, decodeTimes: [Int], duration: Int, isQuickTime: Bool) throws {
    try stbl.remove([
      "ctts", "cslg", "stss", "stps", "stsh", "sdtp", "sgpd", "sbgp", "subs", "saiz", "saio", "padb", "stdp",
      "stz2",
    ])
    var stsz = [UInt8](repeating: 0, count: 8)
    stsz.append(bigEndian: UInt32(truncatingIfNeeded: sizes.count))
    for size in sizes { stsz.append(bigEndian: size) }
    try stbl.put(Atom("stsz", stsz))

    var made = composition(decodeTimes: decodeTimes, duration: duration, isQuickTime: isQuickTime)
    if syncSamples.count != sizes.count {
      var stss = [UInt8](repeating: 0, count: 4)
      stss.append(bigEndian: UInt32(truncatingIfNeeded: syncSamples.count))
      for sample in syncSamples { stss.append(bigEndian: sample) }
      made.append(Atom("stss", stss))
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
    let offsets = zip(presentationTimes, decodeTimes).map { Int32(truncatingIfNeeded: $0 - $1) }
    guard offsets.contains(where: { $0 != 0 }) else { return [] }
    var runs: [(count: UInt32, offset: Int32)] = []
    for offset in offsets {
      if let last = runs.last, last.offset == offset {
        runs[runs.count - 1].count += 1
      } else {
        runs.append((1, offset))
      }
    }
    let least = offsets.min() ?? 0
    var ctts: [UInt8] = [least < 0 && !isQuickTime ? 1 : 0, 0, 0, 0]
    ctts.append(bigEndian: UInt32(truncatingIfNeeded: runs.count))
    for run in runs {
      ctts.append(bigEndian: run.count)
      ctts.append(bigEndian: run.offset)
    }
    let start = presentationTimes.min() ?? 0
    var cslg = [UInt8](repeating: 0, count: 4)
    cslg.append(bigEndian: least < 0 ? 0 &- least : 0)
    cslg.append(bigEndian: least)
    cslg.append(bigEndian: offsets.max() ?? 0)
    cslg.append(bigEndian: Int32(truncatingIfNeeded: start))
    cslg.append(bigEndian: Int32(truncatingIfNeeded: start + duration))
    return [Atom("ctts", ctts), Atom("cslg", cslg)]
  }
}
