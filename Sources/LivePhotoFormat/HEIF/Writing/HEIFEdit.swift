import Basics
import EditModel

/// The changes to a HEIC photo when its pixels are edited.
package struct HEIFEdit: Sendable {
  /// The new pixels of the photo, its thumbnails and its auxiliary images, by item ID.
  package var pictures: [UInt32: HEIFCodedPicture]
  /// The pictures to remove, each with a reason phrased as the end of a sentence.
  package var removed: [UInt32: Message] = [:]
  /// The mapping from positions in the stored picture to positions in the new picture, in fractions of width and
  /// height, or nil if the edit does not change the framing.
  package var projection: PictureProjection?
  /// The mappings for the other new pictures, by item ID. The mappings are used to update the camera data that
  /// describes a depth map.
  package var projections: [UInt32: PictureProjection] = [:]
  /// Whether the photo's new pixels include only the area of the clean aperture, so that the clean aperture is removed.
  /// The clean apertures of other pictures are always removed.
  package var cutsAperture = false
  /// A JPEG that replaces the Exif thumbnail. If nil, an existing thumbnail is removed.
  package var exifThumbnail: [UInt8]?

  /// Creates an edit with new pixels.
  ///
  /// - Parameter pictures: The new pixels, by item ID.
  package init(pictures: [UInt32: HEIFCodedPicture]) {
    self.pictures = pictures
  }
}

/// A picture that belongs to the photo in a HEIC file.
package struct HEIFRelatedPicture: Hashable, Sendable {
  /// How the picture is related to the photo.
  package enum Role: Hashable, Sendable {
    /// A small version of the photo.
    case thumbnail
    /// A map that states how much brighter each position is on an HDR display: Apple's HDR gain map or an ISO 21496-1
    /// gain map.
    case gainMap
    /// A map that contains other information about each position: a depth map, a matte or a transparency mask.
    case places
    /// Information about the photo's colours as captured by the camera.
    case colors
    /// Another picture that can be displayed instead of the photo.
    case alternative
  }

  /// The item that contains the picture.
  package let item: UInt32
  /// How the picture is related to the photo.
  package let role: Role
  /// The name of the picture's role.
  package let name: String
}

extension HEIFFile {
  /// The items that are small versions of the photo (`thmb`, ISO/IEC 23008-12 section 6.4.4).
  package var thumbnails: [UInt32] { sources("thmb", to: primaryItem) }

  /// The maximum number of related pictures. Real photos have about ten.
  private static let mostRelated = 256

  /// The pictures that belong to the photo, in file order.
  ///
  /// - Throws: ``MediaError`` if the photo has more related pictures than any real photo has. The limit matters because
  ///   each picture is edited or removed separately.
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
            "the photo has more than \(Self.mostRelated) related pictures", isUnsupported: true)
        }
        pictures.append(picture)
      }
      return pictures
    }
  }

  /// Returns the pictures that belong to the photo, after checking the number and total size of the pictures. The check
  /// limits the work, because each picture may have to be decoded, edited and encoded.
  ///
  /// - Throws: ``MediaError`` if the number of pictures or their total size is larger than in any real photo.
  package func relatedPicturesToEdit() throws -> [HEIFRelatedPicture] {
    let related = try relatedPictures
    let most = HEIFPicture.mostPixels
    var left = most
    for picture in related where [.thumbnail, .gainMap, .places, .colors].contains(picture.role) {
      do {
        let grid = try HEIFPicture(self, item: picture.item).grid
        // The subtraction cannot overflow, because the limit for a single picture is at most the limit for all pictures
        // together.
        left -= grid.count * grid.tile.width * grid.tile.height
      } catch is MediaError {
        // Unreadable pictures are removed.
        continue
      }
      guard left >= 0 else {
        throw MediaError(
          "the photo's related pictures have more than \(most / 1_000_000) megapixels in total",
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
      // Apple's smart styles describe how the camera's colours were converted to the photo's colours.
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
