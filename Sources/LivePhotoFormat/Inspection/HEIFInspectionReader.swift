import Basics

/// A reader that prepares the items of a HEIF file for display.
struct HEIFInspectionReader {
  /// The size of each item's data in bytes. Items whose data cannot be located are missing.
  private(set) var sizes: [UInt32: Int] = [:]
  /// The defects that were found.
  private(set) var notes: [Message] = []

  private let file: HEIFFile
  private var coding: HEIFInspection.Coding?
  private var tracks: [HEIFInspection.Track]?
  private let roles: [UInt32: String]
  /// The values of all properties in order. Each value is computed only once, because many items may share a large
  /// property.
  private let values: [String?]
  /// The maximum number of characters in the description of a property's value. The description is repeated for every
  /// item that has the property.
  private static let longestValue = 256

  init(_ file: HEIFFile) {
    self.file = file
    roles = Self.roles(of: file)
    values = file.properties.properties.map { property in
      property.inspectedValue.map {
        $0.utf8.count > Self.longestValue ? String($0.prefix(Self.longestValue)) + "…" : $0
      }
    }
    do {
      coding = HEIFInspection.Coding(try HEIFPicture(file))
    } catch {
      notes.append((error as? MediaError)?.problem ?? "the picture cannot be found")
    }
    do {
      tracks = try file.sequence()?.tracks.map(HEIFInspection.Track.init)
    } catch {
      notes.append((error as? MediaError)?.problem ?? "the image sequence cannot be read")
    }
    var left = HEIFFile.mostPieces
    for id in file.itemOrder where file.location(of: id) != nil {
      do {
        sizes[id] = try file.ranges(of: id, left: &left).reduce(0) { $0 + $1.count }
      } catch {
        if notes.count < 8 {
          notes.append((error as? MediaError)?.problem ?? "item \(id) cannot be found")
        }
      }
    }
  }

  /// The description of the file.
  var inspection: HEIFInspection {
    HEIFInspection(
      coding: coding, primaryItem: file.primaryItem, items: file.itemOrder.compactMap(item),
      groups: file.groups.map { HEIFInspection.Group(kind: $0.kind.description, members: $0.members) },
      tracks: tracks)
  }

  /// The photo's thumbnails and auxiliary images. The size of each picture includes its tiles.
  var images: [PhotoInspection.EmbeddedImage] {
    file.itemOrder.filter(isOfPhoto).prefix(64).map { id in
      let size = ([id] + file.targets("dimg", from: id)).reduce(0) { $0 + (sizes[$1] ?? 0) }
      let extents = file.spatialExtents(of: id)
      return PhotoInspection.EmbeddedImage(
        name: roles[id] ?? "picture", size: size, width: extents?.width, height: extents?.height)
    }
  }

  /// The photo's XMP packets.
  var packets: [PhotoInspection.MetadataBlock] {
    file.xmpItems.map { PhotoInspection.MetadataBlock(name: "XMP", size: sizes[$0] ?? 0) }
  }

  private static func roles(of file: HEIFFile) -> [UInt32: String] {
    var roles: [UInt32: String] = [:]
    for (id, item) in file.items {
      switch item.type {
      case "Exif": roles[id] = "Exif"
      case "tmap": roles[id] = "HDR picture"
      case _ where item.isXMP: roles[id] = "XMP"
      default: break
      }
    }
    for reference in file.references {
      switch reference.kind {
      case "dimg" where file.items[reference.from]?.type != "tmap":
        for id in reference.to where roles[id] == nil { roles[id] = "tile" }
      case "thmb": roles[reference.from] = "thumbnail"
      case "auxl": roles[reference.from] = file.auxiliaryName(of: reference.from) ?? "auxiliary picture"
      default: break
      }
    }
    roles[file.primaryItem] = "photo"
    return roles
  }

  /// Returns whether an item is a thumbnail or auxiliary image of the photo.
  private func isOfPhoto(_ id: UInt32) -> Bool {
    file.targets("thmb", from: id).contains(file.primaryItem)
      || file.targets("auxl", from: id).contains(file.primaryItem)
  }

  private func item(_ id: UInt32) -> HEIFInspection.Item? {
    guard let item = file.items[id] else { return nil }
    let properties = file.properties(of: id)
    let size = file.spatialExtents(of: id)
    let location = file.location(of: id)
    let isTurned = properties.contains { $0.pictureTurn != nil }
    return HEIFInspection.Item(
      number: id, type: item.type.description, role: roles[id], contentType: item.contentType,
      isHidden: item.isHidden, size: sizes[id], pieces: location?.extents.count ?? 0,
      isInline: location?.construction == .itemData, width: size?.width, height: size?.height,
      orientation: isTurned ? file.orientation(of: id).rawValue : nil,
      properties: file.associations(of: id).compactMap { association in
        file.properties.property(association).map {
          HEIFInspection.Property(
            number: association.index, type: $0.kind.description, isEssential: association.isEssential,
            value: values[association.index - 1])
        }
      },
      references: file.references(from: id).map {
        HEIFInspection.Reference(kind: $0.kind.description, items: $0.to)
      })
  }
}

extension HEIFInspection.Track {
  init(_ track: Track) throws {
    number = track.header.trackID
    (handler, format) = (track.handler.description, track.format.description)
    (width, height) = (Int(track.header.width >> 16), Int(track.header.height >> 16))
    orientation = track.header.matrix.orientation?.rawValue
    (sampleCount, seconds) = (track.samples.sampleCount, track.media.seconds)
    references = try track.references.map {
      HEIFInspection.Reference(kind: $0.kind.description, items: try $0.referencedTracks)
    }
  }
}

extension HEIFInspection.Coding {
  /// Reads the coding from a picture. In an HEVC configuration record, bytes 16 and 17 contain the chroma format and
  /// the bit depth (ISO/IEC 14496-15 section 8.3.3.1).
  init(_ picture: HEIFPicture) {
    codec = picture.codec
    bitDepth = picture.bitDepth
    let format =
      picture.codec == "hvc1" && picture.configuration.count > 17 ? picture.configuration[16] & 3 : nil
    subsampling = format.map { ["grey", "4:2:0", "4:2:2", "4:4:4"][Int($0)] }
    (columns, rows) = (picture.grid.columns, picture.grid.rows)
    (tileWidth, tileHeight) = (picture.grid.tile.width, picture.grid.tile.height)
  }
}

extension Atom {
  /// A short description of the property's value.
  fileprivate var inspectedValue: String? {
    if let size = spatialExtents { return "\(size.width)x\(size.height)" }
    if let bits = bitsPerChannel { return bits.map { String($0) }.joined(separator: ", ") + " bit" }
    if let type = auxiliaryType { return type }
    if let profile = iccProfile {
      let description = ICCProfile(profile)
      return "ICC profile \(description.name ?? "unnamed"), \(profile.count) bytes"
    }
    if let points = codePoints {
      return "code points \(points.primaries)/\(points.transfer)/\(points.matrix), "
        + (points.isFullRange ? "full range" : "limited range")
    }
    switch (kind, bytes.first) {
    case ("irot", let value?): return "\(Int(value & 3) * 90)° counter-clockwise"
    case ("imir", let value?): return value & 1 == 0 ? "top and bottom exchanged" : "left and right exchanged"
    case ("clap", _):
      guard let clap = try? CleanAperture(self) else { return nil }
      return
        "\(clap.width.value)x\(clap.height.value) at \(clap.horizontalOffset.value), \(clap.verticalOffset.value)"
    case ("hvcC", _), ("av1C", _), ("avcC", _): return "\(bytes.count) bytes"
    default: return nil
    }
  }
}
