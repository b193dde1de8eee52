import Basics
import EditModel

/// The changes to a HEIC photo whose pixels are edited.
package struct HEIFEdit: Sendable {
  /// The new pixels of the photo, its thumbnails and its auxiliary images, by item.
  package var pictures: [UInt32: HEIFCodedPicture]
  /// The pictures to remove, each with a reason that is phrased as the end of a sentence.
  package var removed: [UInt32: Message] = [:]
  /// The mapping from positions in the stored picture to positions in the new picture, in fractions, if the new picture
  /// shows a different part of the scene.
  package var projection: PictureProjection?
  /// The mappings for other new pictures, by item. They are used to update the camera data that describes a depth map.
  package var projections: [UInt32: PictureProjection] = [:]
  /// Whether the photo's new pixels are limited to the part that its clean aperture showed, so that the aperture is
  /// removed. Other pictures never keep their aperture.
  package var cutsAperture = false
  /// A JPEG that replaces the Exif thumbnail. If nil, an existing thumbnail is removed.
  package var exifThumbnail: [UInt8]?

  /// Creates an edit with new pixels.
  ///
  /// - Parameter pictures: The new pixels by item.
  package init(pictures: [UInt32: HEIFCodedPicture]) {
    self.pictures = pictures
  }
}

/// A picture that belongs to the photo of a HEIC file.
package struct HEIFRelatedPicture: Hashable, Sendable {
  /// The role of the picture in relation to the photo.
  package enum Role: Hashable, Sendable {
    /// A small version of the photo.
    case thumbnail
    /// A map of how much brighter each position is on an HDR display (Apple's HDR gain map, or one defined by ISO
    /// 21496-1).
    case gainMap
    /// A map of other information about each position: depth, a matte or transparency.
    case places
    /// Information about the photo's colours as the camera captured them.
    case colors
    /// Another picture that can be displayed instead of the photo.
    case alternative
  }

  /// The item that contains the picture.
  package let item: UInt32
  /// The role of the picture in relation to the photo.
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
  /// - Throws: ``MediaError`` if the photo has more related pictures than any real photo. The number is limited because
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

  /// Returns the pictures that belong to the photo, after a check of the total work, because each may be decoded,
  /// edited and encoded.
  ///
  /// - Throws: ``MediaError`` if the number of pictures or their total size exceeds that of any real photo.
  package func relatedPicturesToEdit() throws -> [HEIFRelatedPicture] {
    let related = try relatedPictures
    let most = HEIFPicture.mostPixels
    var left = most
    for picture in related where [.thumbnail, .gainMap, .places, .colors].contains(picture.role) {
      do {
        let grid = try HEIFPicture(self, item: picture.item).grid
        // The subtraction cannot overflow, because no single picture has more pixels than all pictures together may
        // have.
        left -= grid.count * grid.tile.width * grid.tile.height
      } catch is MediaError {
        // Pictures that cannot be read are removed.
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
      // Apple's smart styles describe how the camera's colours became those of the photo.
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
