/// The sample groups of a track (`sgpd` and `sbgp`: ISO/IEC 14496-12, sections 8.9.2 and 8.9.3) that describe the
/// additional pictures in the frames of spatial video: `linf` and `oinf` (ISO/IEC 14496-15, section 9.6). The groups
/// remain valid for any range of samples that are not re-encoded.
struct LayerGroups {
  /// The group atoms for the samples that are kept.
  let atoms: [Atom]
  /// The kinds of the groups that could not be read.
  let lost: [String]

  private static let kinds: Set<FourCC> = ["linf", "oinf"]

  /// Reads the sample groups for a range of samples.
  ///
  /// - Parameters:
  ///   - stbl: The sample table atom for all samples.
  ///   - range: The numbers of the samples that are kept, counted from 0.
  init(_ stbl: Atom, of range: Range<Int>) throws {
    var found: [(kind: FourCC, atom: Atom)] = []
    var damaged: Set<FourCC> = []
    for atom in try stbl.children where atom.kind == "sgpd" || atom.kind == "sbgp" {
      var reader = BigEndianReader(atom.bytes)
      guard (try? reader.skip(4)) != nil, let kind = try? reader.fourCC(), Self.kinds.contains(kind) else {
        continue
      }
      if atom.kind == "sgpd" {
        found.append((kind, atom))
      } else if let cut = try? Self.cut(atom, to: range) {
        found.append((kind, cut))
      } else {
        damaged.insert(kind)
      }
    }
    atoms = found.filter { !damaged.contains($0.kind) }.map(\.atom)
    lost = damaged.map(\.description).sorted()
  }

  /// Reduces a group table (`sbgp`) to a range of samples. The table lists runs of samples in order, and states the
  /// number of the group description for each run. Samples after the last run do not belong to any listed group.
  private static func cut(_ sbgp: Atom, to range: Range<Int>) throws -> Atom {
    var reader = BigEndianReader(sbgp.bytes)
    let version = try reader.uint32() >> 24
    // Skips the grouping type and its parameter.
    try reader.skip(version == 0 ? 4 : 8)
    let head = Array(sbgp.bytes.prefix(reader.offset))
    var runs: [Int] = []
    var first = 0
    for _ in 0..<(try reader.count(entrySize: 8)) {
      let end = first + Int(try reader.uint32())
      let group = Int(try reader.uint32())
      let kept = (first..<end).clamped(to: range)
      if !kept.isEmpty { runs += [kept.count, group] }
      first = end
    }
    return Atom(sbgp.kind, head + [UInt8](words: [runs.count / 2] + runs))
  }
}
