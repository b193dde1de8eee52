import Basics
import EditModel

/// The picture of a HEIF item, ready for decoding: the locations of the picture's coded tiles, and the arrangement of
/// the tiles.
package struct HEIFPicture: Sendable {
  /// A colour description by code points (ITU-T H.273).
  package struct CodePoints: Codable, Hashable, Sendable {
    /// The colour primaries.
    package let primaries: Int
    /// The transfer characteristics.
    package let transfer: Int
    /// The matrix coefficients.
    package let matrix: Int
    /// Whether samples use the full range of code values.
    package let isFullRange: Bool
  }

  /// A clean aperture, in coordinates of the unrotated picture.
  package struct Aperture: Hashable, Sendable {
    /// The x-coordinate of the left edge of the displayed area.
    package let x: Int
    /// The y-coordinate of the top edge of the displayed area.
    package let y: Int
    /// The width of the displayed area in pixels.
    package let width: Int
    /// The height of the displayed area in pixels.
    package let height: Int
  }

  /// The codec of the tiles: `hvc1`, `av01`, …
  package let codec: String
  /// The decoder configuration record of all tiles: the content of `hvcC` (ISO/IEC 14496-15 section 8.3.3) or of the
  /// corresponding box of another codec.
  package let configuration: [UInt8]
  /// The ranges of the file that contain each tile's coded data, in row order. An HEVC tile consists of NAL units, each
  /// preceded by its length.
  package private(set) var tiles: [[Range<Int>]]
  /// The arrangement of the tiles in the picture.
  package private(set) var grid: TileGrid
  /// The displayed part of the picture, or nil if the picture is displayed without cropping.
  package private(set) var aperture: Aperture?
  /// The rotation and mirroring for display, applied after ``aperture``.
  package private(set) var orientation: Orientation
  /// The colour description by code points, or nil if no property contains such a description.
  package let codePoints: CodePoints?
  /// The ICC profile of the picture, or nil if the picture has none.
  package let iccProfile: [UInt8]?
  /// The number of bits per sample according to the item's properties, or 8 if the properties do not state the number.
  package let bitDepth: Int

  /// Whether the picture has no chroma, according to `chroma_format_idc` in the picture's HEVC configuration (ISO/IEC
  /// 14496-15 section 8.3.3.1).
  package var isGrey: Bool { codec == "hvc1" && configuration.count > 16 && configuration[16] & 3 == 0 }

  private static let largestSide = 1 << 16
  /// The maximum number of pixels in a picture that is rotated without decoding: twice the limit for decoding, but at
  /// most 2³⁰.
  package static var mostPixels: Int { min(ReadingLimit.pixels.value << 21, 1 << 30) }
  private static var mostBytes: Int { ReadingLimit.photoSize.value << 20 }

  /// The supported essential properties, which are read here or do not affect decoding.
  private static let known: Set<FourCC> = [
    "hvcC", "av1C", "avcC", "vvcC", "lhvC", "ispe", "pixi", "colr", "clap", "irot", "imir", "auxC", "pasp",
    "clli",
    "mdcv", "cclv", "amve", "udes", "altt",
  ]

  /// Finds the parts of an item's picture without decoding any of the parts.
  ///
  /// - Parameters:
  ///   - file: The file that contains the item.
  ///   - item: The picture's item, or nil for the photo itself.
  /// - Throws: ``MediaError`` if parts are missing or inconsistent, or if the picture is derived in an unsupported way,
  ///   or any error that the file's source throws.
  package init(_ file: HEIFFile, item: UInt32? = nil) throws {
    try self.init(file, item ?? file.primaryItem, depth: 0)
  }

  private init(_ file: HEIFFile, _ id: UInt32, depth: Int) throws {
    guard let item = file.items[id] else { throw MediaError("item \(id) does not exist") }
    guard item.protection == 0 else { throw MediaError("the picture is encrypted", isUnsupported: true) }
    if item.type == "iden" {
      let made = file.targets("dimg", from: id)
      guard made.count == 1, depth < 3 else {
        throw MediaError("item \(id) has an invalid chain of source items")
      }
      self = try HEIFPicture(file, made[0], depth: depth + 1).laidDown(as: file.properties(of: id))
      return
    }
    try Self.checkProperties(file, id)
    let properties = file.properties(of: id)
    guard let size = file.spatialExtents(of: id) else {
      throw MediaError("item \(id) has no width and height")
    }
    guard 1...Self.largestSide ~= size.width, 1...Self.largestSide ~= size.height else {
      throw MediaError("item \(id) has an impossible size: \(size.width)x\(size.height)")
    }
    let grid: HEIFGrid
    if item.type == "grid" {
      grid = try HEIFGrid(file.data(of: id, most: 12), tiles: file.targets("dimg", from: id))
      guard grid.size == size else {
        throw MediaError(
          "the properties of item \(id) give its size as \(size.width)x\(size.height), but its grid as \(grid.size.width)x\(grid.size.height)"
        )
      }
    } else if item.isCodedImage {
      grid = HEIFGrid(tile: id, size: size)
    } else {
      throw MediaError(
        "item \(id) has the type “\(item.type)”, which is not supported", isUnsupported: true)
    }
    let first = try Self.coded(file, grid.tiles[0])
    // The tiles share a single property that contains their decoder configuration, which may be large.
    var alike: Set<Int> = []
    for tile in Set(grid.tiles) {
      let other = try Self.coded(file, tile)
      guard other.codec == first.codec, other.size == first.size else {
        throw MediaError("item \(id) has tiles of different sizes or types")
      }
      if alike.insert(other.property).inserted, other.configuration != first.configuration {
        throw MediaError("item \(id) has tiles with different encodings", isUnsupported: true)
      }
      guard tile == id || file.orientation(of: tile) == .identity else {
        throw MediaError("item \(id) has tiles that are rotated individually", isUnsupported: true)
      }
    }
    guard first.size.width * grid.columns >= size.width, first.size.height * grid.rows >= size.height else {
      throw MediaError("item \(id) has tiles that do not cover its whole area")
    }
    // This error is reported only if the picture's structure is otherwise valid.
    let mostPixels = Self.mostPixels
    guard size.width * size.height <= mostPixels else {
      throw MediaError(
        "item \(id), \(size.width)x\(size.height), has more than \(mostPixels / 1_000_000) megapixels",
        remedy: mostPixels < 1 << 30 ? ReadingLimit.pixels.remedy : nil, isUnsupported: true)
    }
    guard first.size.width * first.size.height <= mostPixels / grid.tiles.count else {
      throw MediaError("item \(id) has tiles that are far larger than the item itself")
    }
    codec = first.codec.description
    configuration = first.configuration
    tiles = try file.ranges(of: grid.tiles)
    guard tiles.joined().reduce(0, { $0 + min($1.count, Self.mostBytes) }) <= Self.mostBytes else {
      throw MediaError(
        beyond: .photoSize, "item \(id) has more than \(Self.mostBytes >> 20) MB of encoded data")
    }
    self.grid = TileGrid(columns: grid.columns, rows: grid.rows, tile: first.size, size: size)
    let shown = try Self.shown(properties, of: size)
    (aperture, orientation) = (shown.aperture, shown.orientation)
    codePoints = properties.lazy.compactMap(\.codePoints).first
    iccProfile = properties.lazy.compactMap(\.iccProfile).first
    bitDepth = properties.lazy.compactMap(\.bitsPerChannel).first?.max() ?? 8
  }

  /// Checks that all essential properties of an item are supported.
  ///
  /// - Throws: ``MediaError`` if an essential property is unknown.
  private static func checkProperties(_ file: HEIFFile, _ id: UInt32) throws {
    for association in file.associations(of: id) where association.isEssential {
      guard let kind = file.properties.property(association)?.kind else {
        throw MediaError("item \(id) requires a property that does not exist")
      }
      guard known.contains(kind) else {
        throw MediaError(
          "item \(id) requires the property “\(kind)”, which is not supported", isUnsupported: true)
      }
    }
  }

  /// Returns the coding parameters of a tile, and the number of the property that contains the tile's decoder
  /// configuration, or 0 if the tile has no configuration.
  private static func coded(
    _ file: HEIFFile, _ id: UInt32
  ) throws -> (codec: FourCC, configuration: [UInt8], property: Int, size: PixelSize) {
    guard let item = file.items[id] else { throw MediaError("the tile in item \(id) does not exist") }
    guard item.isCodedImage else {
      throw MediaError(
        "the tile in item \(id) is not an encoded picture: its type is “\(item.type)”", isUnsupported: true)
    }
    guard item.protection == 0 else { throw MediaError("the picture is encrypted", isUnsupported: true) }
    let configurations: [FourCC: FourCC] = ["hvc1": "hvcC", "av01": "av1C", "avc1": "avcC", "vvc1": "vvcC"]
    try checkProperties(file, id)
    let said = configurations[item.type].flatMap { kind in
      file.associations(of: id).first { file.properties.property($0)?.kind == kind }
    }
    let configuration = said.flatMap(file.properties.property)
    guard let size = file.spatialExtents(of: id), 1...largestSide ~= size.width,
      1...largestSide ~= size.height
    else { throw MediaError("the tile in item \(id) has no valid width and height") }
    guard configuration != nil || configurations[item.type] == nil else {
      throw MediaError("the tile in item \(id) does not declare its encoding")
    }
    return (item.type, configuration?.bytes ?? [], said?.index ?? 0, size)
  }
}

extension HEIFPicture {
  /// Returns the displayed part of a picture and its orientation. The properties are applied one after another.
  private static func shown(
    _ properties: [Atom], of size: PixelSize
  ) throws -> (aperture: Aperture?, orientation: Orientation) {
    var aperture: Aperture?
    var orientation = Orientation.identity
    for property in properties {
      if property.kind == "clap" {
        guard aperture == nil, orientation == .identity else {
          throw MediaError(
            "the picture is cropped after rotation, an order that is not supported", isUnsupported: true)
        }
        aperture = try Aperture(CleanAperture(property), in: size)
      } else if let turn = property.pictureTurn {
        orientation = orientation.then(turn)
      }
    }
    return (aperture, orientation)
  }

  /// Returns the picture with additional properties applied, such as a rotation.
  private func laidDown(as properties: [Atom]) throws -> HEIFPicture {
    let shown = try Self.shown(properties, of: grid.size)
    guard shown.aperture == nil || aperture == nil && orientation == .identity else {
      throw MediaError(
        "the picture is cropped after rotation, an order that is not supported", isUnsupported: true)
    }
    var picture = self
    picture.aperture = shown.aperture ?? aperture
    picture.orientation = orientation.then(shown.orientation)
    return picture
  }
}

extension HEIFPicture {
  /// Returns the tiles that contain a part of the picture, as a picture without a clean aperture.
  ///
  /// - Parameter part: The part, in pixel coordinates of the stored picture.
  /// - Returns: The picture formed by those tiles, and the position of its top-left corner in the complete picture.
  package func tiles(
    holding part: (x: Int, y: Int, width: Int, height: Int)
  ) -> (picture: HEIFPicture, x: Int, y: Int) {
    let tile = grid.tile
    let columns = part.x / tile.width..<min((part.x + part.width - 1) / tile.width + 1, grid.columns)
    let rows = part.y / tile.height..<min((part.y + part.height - 1) / tile.height + 1, grid.rows)
    let (x, y) = (columns.lowerBound * tile.width, rows.lowerBound * tile.height)
    var picture = self
    picture.aperture = nil
    picture.tiles = rows.flatMap { row in columns.map { tiles[row * grid.columns + $0] } }
    picture.grid = TileGrid(
      columns: columns.count, rows: rows.count, tile: tile,
      size: PixelSize(
        width: min(columns.count * tile.width, grid.size.width - x),
        height: min(rows.count * tile.height, grid.size.height - y)))
    return (picture, x, y)
  }

  /// The horizontal and vertical chroma subsampling factors, or nil if the picture has no chroma. The factors follow
  /// from `chroma_format_idc` in the HEVC configuration (ISO/IEC 14496-15 section 8.3.3.1).
  package var chromaSteps: (columns: Int, rows: Int)? {
    guard codec == "hvc1", configuration.count > 16 else { return (2, 2) }
    switch configuration[16] & 3 {
    case 0: return nil
    case 1: return (2, 2)
    case 2: return (2, 1)
    default: return (1, 1)
    }
  }
}

extension HEIFPicture.Aperture {
  /// Returns the aperture for a picture whose size is reduced by a factor.
  ///
  /// - Parameter factor: The factor by which the width and the height are divided.
  package func reduced(by factor: Int) -> HEIFPicture.Aperture {
    HEIFPicture.Aperture(
      x: x / factor, y: y / factor, width: max(width / factor, 1), height: max(height / factor, 1))
  }

  /// Creates an aperture from the complete pixels within a clean aperture (ISO/IEC 14496-12 section 12.1.4.1).
  ///
  /// - Throws: ``MediaError`` if the clean aperture lies outside the picture.
  init(_ clap: CleanAperture, in size: PixelSize) throws {
    let outside = MediaError("the clean aperture extends beyond the picture")
    let (width, height) = (clap.width.value, clap.height.value)
    let left = clap.horizontalOffset.value + (Double(size.width) - width) / 2
    let top = clap.verticalOffset.value + (Double(size.height) - height) / 2
    guard width >= 1, height >= 1, left >= -0.5, top >= -0.5, left + width <= Double(size.width) + 0.5,
      top + height <= Double(size.height) + 0.5
    else { throw outside }
    x = max(0, Int(left.rounded()))
    y = max(0, Int(top.rounded()))
    self.width = min(Int(width.rounded()), size.width - x)
    self.height = min(Int(height.rounded()), size.height - y)
    guard self.width >= 1, self.height >= 1 else { throw outside }
  }
}

/// The tiles that form a picture (`grid`, ISO/IEC 23008-12 section 6.6.2.3).
struct HEIFGrid: Hashable, Sendable {
  let columns: Int
  let rows: Int
  let size: PixelSize
  let tiles: [UInt32]

  /// Creates a grid whose only tile is the complete picture.
  init(tile: UInt32, size: PixelSize) {
    (columns, rows, self.size, tiles) = (1, 1, size, [tile])
  }

  /// Reads a grid item: version, flags, number of rows minus 1, number of columns minus 1, and the picture's width and
  /// height in two or four bytes each.
  ///
  /// - Parameters:
  ///   - bytes: The data of the grid item.
  ///   - tiles: The items that contain the grid's tiles.
  init(_ bytes: [UInt8], tiles: [UInt32]) throws {
    var reader = BigEndianReader(bytes)
    let version: UInt8 = try reader.integer()
    guard version == 0 else { throw MediaError("the grid has an unknown version", isUnsupported: true) }
    let isWide = try reader.integer(UInt8.self) & 1 != 0
    rows = Int(try reader.integer(UInt8.self)) + 1
    columns = Int(try reader.integer(UInt8.self)) + 1
    let width = isWide ? try reader.uint32() : UInt32(try reader.uint16())
    let height = isWide ? try reader.uint32() : UInt32(try reader.uint16())
    size = PixelSize(width: Int(width), height: Int(height))
    self.tiles = tiles
    guard tiles.count == rows * columns else {
      throw MediaError(
        "the grid of \(columns)x\(rows) tiles has \(tiles.count) tiles but needs \(rows * columns)")
    }
  }
}
