import Basics

/// Rules about the items of a HEIC photo. What makes the picture itself unreadable is found elsewhere.
enum HEIFRules {
  static func findings(_ file: HEIFFile) throws -> [VerificationFinding] {
    data(file) + references(file) + (try orientation(file)) + pictures(file)
  }

  /// Items whose data is missing or lies elsewhere.
  private static func data(_ file: HEIFFile) -> [VerificationFinding] {
    var left = 8  // enough to know
    var pieces = HEIFFile.mostPieces
    var findings: [VerificationFinding] = []
    for id in file.itemOrder where left > 0 && file.location(of: id) != nil {
      do {
        _ = try file.ranges(of: id, left: &pieces)
      } catch let error as MediaError {
        findings.append(
          error.isUnsupported
            ? VerificationFinding(.notChecked, .photo, "The photo was not checked: \(error.problem).")
            : VerificationFinding(.itemData, .photo, "The photo is not whole: \(error.problem)."))
        left -= 1
      } catch { continue }  // nothing else is thrown
    }
    return findings
  }

  private static func references(_ file: HEIFFile) -> [VerificationFinding] {
    func dangling(_ what: String, _ ids: [UInt32]) -> VerificationFinding? {
      guard let first = ids.first else { return nil }
      let more = ids.count > 1 ? " and \(ids.count - 1) more" : ""
      return VerificationFinding(
        .itemReferences, .photo, "\(what) of the photo name items that do not exist: \(first)\(more).")
    }
    func missing(_ ids: [UInt32]) -> [UInt32] { ids.filter { file.items[$0] == nil } }
    let groups = Set(file.groups.map(\.id))
    let hasTracks = file.atoms.contains { $0.kind == "moov" }
    var findings = [
      dangling("References", missing(file.references.flatMap { [$0.from] + $0.to })),
      dangling("Locations", missing(file.locations.entries.map(\.id))),
      dangling("Properties", missing(file.properties.boxes.flatMap(\.entries).map(\.id))),
      dangling(
        "Groups", hasTracks ? [] : missing(file.groups.flatMap(\.members)).filter { !groups.contains($0) }),
    ].compactMap { $0 }
    let last = file.properties.properties.count
    let wrong = file.properties.boxes.flatMap(\.entries).filter {
      $0.associations.contains { $0.index > last }
    }
    if let first = wrong.first {
      findings.append(
        .init(.itemReferences, .photo, "Item \(first.id) of the photo has a property that does not exist."))
    }
    return findings
  }

  private static func orientation(_ file: HEIFFile) throws -> [VerificationFinding] {
    let properties = file.photoOrientation
    guard let exif = try file.exif()?.orientation, exif != properties else { return [] }
    return [
      .init(
        .photoOrientation, .photo,
        "Exif gives the photo the orientation \(exif.rawValue), its properties \(properties.rawValue).")
    ]
  }

  /// Width and height of two pictures of one scene, in proportion, differ less than this.
  private static let tolerance = 0.05

  private static func pictures(_ file: HEIFFile) -> [VerificationFinding] {
    let isCropped = file.properties(of: file.primaryItem).contains { $0.kind == "clap" }
    guard !isCropped, let photo = file.displayedExtents(of: file.primaryItem) else { return [] }
    var findings: [VerificationFinding] = []
    func expect(_ id: UInt32, _ what: String, isSame: (PixelSize) -> Bool) {
      guard let size = file.displayedExtents(of: id), !isSame(size) else { return }
      findings.append(
        .init(
          .auxiliaryPictures, .photo,
          "The photo is shown as \(photo.width)x\(photo.height), its \(what) as \(size.width)x\(size.height)."
        ))
    }
    for (kind, fallback) in [("thmb", "thumbnail"), ("auxl", "auxiliary picture")] as [(FourCC, String)] {
      for id in file.sources(kind, to: file.primaryItem).prefix(64) {
        expect(id, file.auxiliaryName(of: id) ?? fallback) { size in
          let ratio =
            Double(size.width) * Double(photo.height) / max(Double(size.height) * Double(photo.width), 1)
          return abs(ratio - 1) < tolerance
        }
      }
    }
    for id in file.sources("dimg", to: file.primaryItem).prefix(64) where file.items[id]?.type == "tmap" {
      expect(id, "HDR picture") { $0 == photo }
    }
    return findings
  }
}
