import Basics
import EditModel

/// The changes to a HEIC photo whose pixels are edited.
package struct HEIFEdit: Sendable {
  /// The new pixels of the photo, its thumbnails and auxiliary pictures, by item.
  package var pictures: [UInt32: HEIFCodedPicture]
  /// Pictures that are taken out, and why, as the end of a sentence.
  package var removed: [UInt32: Message] = [:]
  /// From places of the stored picture to places of the new one, in fractions, where it is another part of the scene.
  package var projection: PictureProjection?
  /// The same for other new pictures, by item: what describes the camera behind a depth map follows it.
  package var projections: [UInt32: PictureProjection] = [:]
  /// True if the photo's new pixels are what its clean aperture showed, so that it has none any more. Other pictures
  /// never keep theirs.
  package var cutsAperture = false
  /// A JPEG to stand in for the thumbnail in Exif; without one an old thumbnail is removed.
  package var exifThumbnail: [UInt8]?

  /// - Parameter pictures: the new pixels by item.
  package init(pictures: [UInt32: HEIFCodedPicture]) {
    self.pictures = pictures
  }
}

/// A picture that belongs to the photo of a HEIC file.
package struct HEIFRelatedPicture: Hashable, Sendable {
  /// Its role for the photo.
  package enum Role: Hashable, Sendable {
    /// A small version of it.
    case thumbnail
    /// How much brighter each place is on a display that can (Apple's HDR gain map, or one of ISO 21496-1).
    case gainMap
    /// Something else about each place: depth, a matte, transparency.
    case places
    /// Something about its colours as the camera made them.
    case colors
    /// Another picture that can be shown instead.
    case alternative
  }

  /// Its item.
  package let item: UInt32
  /// Its role for the photo.
  package let role: Role
  /// Its role in words.
  package let name: String
}

extension HEIFFile {
  /// The items that are small versions of the photo (`thmb`, ISO/IEC 23008-12 section 6.4.4).
  package var thumbnails: [UInt32] { sources("thmb", to: primaryItem) }

  /// Real photos have about ten.
  private static let mostRelated = 256

  /// The pictures that belong to the photo, in file order.
  ///
  /// - Throws: ``MediaError`` when there are more than any photo has: each is edited or taken out by itself.
  package var relatedPictures: [HEIFRelatedPicture] {
    get throws {
      let tones = Set(sources("dimg", to: pixelItem)).filter { items[$0]?.type == "tmap" }
      let maps = Set(tones.flatMap { targets("dimg", from: $0).dropFirst() })
      let alternatives = Set(
        groups.lazy.filter { $0.kind == "altr" && $0.members.contains(primaryItem) }.flatMap(\.members))
      var pictures: [HEIFRelatedPicture] = []
      for id in itemOrder {
        guard let picture = related(id, isMap: maps.contains(id), alternatives) else { continue }
        guard pictures.count < Self.mostRelated else {
          throw MediaError(
            "it has more than \(Self.mostRelated) pictures that belong to its photo", isUnsupported: true)
        }
        pictures.append(picture)
      }
      return pictures
    }
  }

  /// The pictures that belong to the photo, each of which may be decoded, edited and encoded.
  ///
  /// - Throws: ``MediaError`` when there are more of them, or they are larger together, than those of any photo.
  package func relatedPicturesToEdit() throws -> [HEIFRelatedPicture] {
    let related = try relatedPictures
    let most = HEIFPicture.mostPixels
    var left = most
    for picture in related where [.thumbnail, .gainMap, .places, .colors].contains(picture.role) {
      do {
        let grid = try HEIFPicture(self, item: picture.item).grid
        // No picture has more pixels than all may have.
        left -= grid.count * grid.tile.width * grid.tile.height
      } catch is MediaError {
        // It is taken out.
        continue
      }
      guard left >= 0 else {
        throw MediaError(
          "the pictures that belong to its photo have more than \(most / 1_000_000) megapixels together",
          remedy: most < 1 << 30 ? ReadingLimit.pixels.remedy : nil, isUnsupported: true)
      }
    }
    return related
  }

  private func related(_ id: UInt32, isMap: Bool, _ alternatives: Set<UInt32>) -> HEIFRelatedPicture? {
    guard id != primaryItem, id != pixelItem, let item = items[id], item.isCodedImage || item.isDerivedImage
    else { return nil }
    let name = auxiliaryName(of: id)
    if isMap || (isAuxiliary(id) && name == "gain map") {
      return HEIFRelatedPicture(item: id, role: .gainMap, name: "gain map")
    }
    if isAuxiliary(id) {
      // Apple's smart styles: how the camera's colours became those of the photo.
      let isOfColors = ["style", "linear"].contains { (name ?? "").lowercased().contains($0) }
      return HEIFRelatedPicture(
        item: id, role: isOfColors ? .colors : .places, name: name ?? "auxiliary picture")
    }
    if targets("thmb", from: id).contains(where: { $0 == primaryItem || $0 == pixelItem }) {
      return HEIFRelatedPicture(item: id, role: .thumbnail, name: "thumbnail")
    }
    guard alternatives.contains(id), item.type != "tmap" else { return nil }
    return HEIFRelatedPicture(item: id, role: .alternative, name: "alternative picture")
  }

  private func isAuxiliary(_ id: UInt32) -> Bool {
    targets("auxl", from: id).contains { $0 == primaryItem || $0 == pixelItem }
  }
}
