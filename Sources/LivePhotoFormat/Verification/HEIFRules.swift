import Basics
import EditModel

/// Rules for the items of a HEIC photo. Defects that make the picture itself unreadable are detected elsewhere.
extension [VerificationFinding] {
  mutating func checkItems(of file: HEIFFile) throws {
    let exif = try file.exif()?.orientation
    checkData(file)
    checkReferences(file)
    if let exif, exif != file.photoOrientation {
      add(
        .photoOrientation, .photo,
        "The photo's Exif orientation is \(exif.rawValue), but its HEIF properties give \(file.photoOrientation.rawValue)."
      )
    }
    checkPictures(file)
    do {
      if let sequence = try file.sequence() { try checkTracks(of: sequence) }
    } catch let error as MediaError {
      add(error, .itemData, .photo, "incomplete")
    }
  }

  /// Checks that the thumbnails and auxiliary images of an image sequence have the same orientation as the track to
  /// which they belong.
  private mutating func checkTracks(of sequence: HEIFSequence) throws {
    for track in sequence.tracks.prefix(64) {
      for reference in try track.references where ["auxl", "thmb"].contains(reference.kind) {
        let owners = try reference.referencedTracks
        let isOther = sequence.tracks.contains {
          owners.contains($0.header.trackID)
            && $0.header.matrix.orientation != track.header.matrix.orientation
        }
        guard isOther else { continue }
        add(
          .auxiliaryPictures, .photo,
          "Track \(track.header.trackID) of the photo and the track it belongs to have different orientations."
        )
      }
    }
  }

  /// Checks that the file contains the data of all items.
  private mutating func checkData(_ file: HEIFFile) {
    var left = 8  // enough to know
    var pieces = HEIFFile.mostPieces
    for id in file.itemOrder where left > 0 && file.location(of: id) != nil {
      do {
        _ = try file.ranges(of: id, left: &pieces)
      } catch let error as MediaError {
        add(error, .itemData, .photo, "incomplete")
        left -= 1
      } catch { continue }  // nothing else is thrown
    }
  }

  private mutating func checkReferences(_ file: HEIFFile) {
    func missing(_ ids: [UInt32]) -> [UInt32] { ids.filter { file.items[$0] == nil } }
    let groups = Set(file.groups.map(\.id))
    let hasTracks = file.atoms.contains { $0.kind == "moov" }
    for (what, ids) in [
      (Message("Item references"), missing(file.references.flatMap { [$0.from] + $0.to })),
      (Message("Item locations"), missing(file.locations.entries.map(\.id))),
      (Message("Item properties"), missing(file.properties.boxes.flatMap(\.entries).map(\.id))),
      (
        Message("Item groups"),
        hasTracks ? [] : missing(file.groups.flatMap(\.members)).filter { !groups.contains($0) }
      ),
    ] {
      guard let first = ids.first else { continue }
      let more: Message = ids.count > 1 ? " and \(ids.count - 1) more" : ""
      add(
        .itemReferences, .photo, "\(what) in the photo name items that do not exist: \(first)\(more).")
    }
    let last = file.properties.properties.count
    let wrong = file.properties.boxes.flatMap(\.entries).first {
      $0.associations.contains { $0.index > last }
    }
    if let wrong {
      add(.itemReferences, .photo, "Item \(wrong.id) in the photo has a property that does not exist.")
    }
  }

  private mutating func checkPictures(_ file: HEIFFile) {
    let isCropped = file.properties(of: file.primaryItem).contains { $0.kind == "clap" }
    guard !isCropped, let photo = file.displayedExtents(of: file.primaryItem) else { return }
    func expect(_ id: UInt32, _ what: Message, isSame: (PixelSize) -> Bool) {
      guard let size = file.displayedExtents(of: id), !isSame(size) else { return }
      add(
        .auxiliaryPictures, .photo,
        "The photo is displayed as \(photo.width)x\(photo.height), but its \(what) as \(size.width)x\(size.height)."
      )
    }
    for (kind, fallback) in [("thmb", Message("thumbnail")), ("auxl", Message("auxiliary image"))]
      as [(FourCC, Message)]
    {
      for id in file.sources(kind, to: file.primaryItem).prefix(64) {
        expect(id, file.auxiliaryName(of: id).map { "\($0)" } ?? fallback) { size in
          let ratio =
            Double(size.width) * Double(photo.height)
            / Swift.max(Double(size.height) * Double(photo.width), 1)
          // For two pictures of the same scene, the aspect ratios differ by less than this tolerance.
          return abs(ratio - 1) < 0.05
        }
      }
    }
    for id in file.sources("dimg", to: file.primaryItem).prefix(64) where file.items[id]?.type == "tmap" {
      expect(id, Message("HDR picture")) { $0 == photo }
    }
  }
}
