import Basics
import EditModel

/// The picture of a HEIF item, ready to be decoded: where its coded tiles lie, and how they make the picture.
package struct HEIFPicture: Sendable {
  /// Colours by code points (ITU-T H.273).
  package struct CodePoints: Codable, Hashable, Sendable {
    /// Colour primaries.
    package let primaries: Int
    /// Transfer characteristics.
    package let transfer: Int
    /// Matrix coefficients.
    package let matrix: Int
    /// True if samples use all code values.
    package let isFullRange: Bool
  }

  /// A clean aperture, in the picture as it is before it is turned.
  package struct Aperture: Hashable, Sendable {
    /// First column that is shown.
    package let x: Int
    /// First row that is shown.
    package let y: Int
    /// Columns that are shown.
    package let width: Int
    /// Rows that are shown.
    package let height: Int
  }

  /// How the tiles are coded: `hvc1`, `av01`, …
  package let codec: String
  /// The decoder configuration record of all tiles: the content of `hvcC` (ISO/IEC 14496-15 section 8.3.3) or
  /// its like.
  package let configuration: [UInt8]
  /// The bytes of the file that are each tile's coded data, row by row. HEVC tiles are NAL units behind their
  /// lengths.
  package private(set) var tiles: [[Range<Int>]]
  /// How the tiles make the picture.
  package private(set) var grid: TileGrid
  /// The part that is shown; nil for all of it.
  package private(set) var aperture: Aperture?
  /// How the picture is turned and mirrored for display, after ``aperture`` was cut out.
  package private(set) var orientation: Orientation
  /// Its colours by code points; nil when no property says so.
  package let codePoints: CodePoints?
  /// Its ICC profile; nil when it has none.
  package let iccProfile: [UInt8]?
  /// Bits a sample, by its properties; 8 when none says.
  package let bitDepth: Int

  /// True if it has no chroma, by `chroma_format_idc` of its HEVC configuration (ISO/IEC 14496-15 section 8.3.3.1).
  package var isGrey: Bool { codec == "hvc1" && configuration.count > 16 && configuration[16] & 3 == 0 }

  private static let largestSide = 1 << 16
  /// The most pixels of a picture that is turned and not decoded: twice those of one that is, and 2³⁰.
  package static var mostPixels: Int { min(ReadingLimit.pixels.value << 21, 1 << 30) }
  private static var mostBytes: Int { ReadingLimit.photoSize.value << 20 }

  /// The properties that may be essential and change nothing here, or are read here.
  private static let known: Set<FourCC> = [
    "hvcC", "av1C", "avcC", "vvcC", "lhvC", "ispe", "pixi", "colr", "clap", "irot", "imir", "auxC", "pasp",
    "clli",
    "mdcv", "cclv", "amve", "udes", "altt",
  ]

  /// Finds the parts of an item's picture; decodes nothing.
  ///
  /// - Parameters:
  ///   - file: the file's boxes.
  ///   - item: the picture's item; nil means the photo itself.
  /// - Throws: ``MediaError`` when parts are missing or do not fit together, or when the picture is made in a way
  ///   that is not handled; what `source` throws.
  package init(_ file: HEIFFile, item: UInt32? = nil) throws {
    try self.init(file, item ?? file.primaryItem, depth: 0)
  }

  private init(_ file: HEIFFile, _ id: UInt32, depth: Int) throws {
    guard let item = file.items[id] else { throw MediaError("its item \(id) does not exist") }
    guard item.protection == 0 else { throw MediaError("its picture is encrypted", isUnsupported: true) }
    if item.type == "iden" {
      let made = file.targets("dimg", from: id)
      guard made.count == 1, depth < 3 else {
        throw MediaError("its item \(id) is made of items in a circle")
      }
      self = try HEIFPicture(file, made[0], depth: depth + 1).laidDown(as: file.properties(of: id))
      return
    }
    try Self.checkProperties(file, id)
    let properties = file.properties(of: id)
    guard let size = file.spatialExtents(of: id) else { throw MediaError("its item \(id) has no size") }
    guard 1...Self.largestSide ~= size.width, 1...Self.largestSide ~= size.height else {
      throw MediaError("its item \(id) has an impossible size: \(size.width)x\(size.height)")
    }
    let grid: HEIFGrid
    if item.type == "grid" {
      grid = try HEIFGrid(file.data(of: id, most: 12), tiles: file.targets("dimg", from: id))
      guard grid.size == size else {
        throw MediaError(
          "its item \(id) is \(size.width)x\(size.height) by its properties and \(grid.size.width)x\(grid.size.height) by its grid"
        )
      }
    } else if item.isCodedImage {
      grid = HEIFGrid(tile: id, size: size)
    } else {
      throw MediaError(
        "its item \(id) is made in a way that is not handled (“\(item.type)”)", isUnsupported: true)
    }
    let first = try Self.coded(file, grid.tiles[0])
    // Tiles share the property that says how they are coded, and it may be large.
    var alike: Set<Int> = []
    for tile in Set(grid.tiles) {
      let other = try Self.coded(file, tile)
      guard other.codec == first.codec, other.size == first.size else {
        throw MediaError("its item \(id) has tiles of different sizes or kinds")
      }
      if alike.insert(other.property).inserted, other.configuration != first.configuration {
        throw MediaError("its item \(id) has tiles that are coded differently", isUnsupported: true)
      }
      guard tile == id || file.orientation(of: tile) == .identity else {
        throw MediaError("its item \(id) has tiles that are turned one by one", isUnsupported: true)
      }
    }
    guard first.size.width * grid.columns >= size.width, first.size.height * grid.rows >= size.height else {
      throw MediaError("its item \(id) has tiles that do not cover it")
    }
    // Of a sound picture alone it says anything that it is too large.
    let mostPixels = Self.mostPixels
    guard size.width * size.height <= mostPixels else {
      throw MediaError(
        "its item \(id) of \(size.width)x\(size.height) has more than \(mostPixels / 1_000_000) megapixels",
        remedy: mostPixels < 1 << 30 ? ReadingLimit.pixels.remedy : nil, isUnsupported: true)
    }
    guard first.size.width * first.size.height <= mostPixels / grid.tiles.count else {
      throw MediaError("its item \(id) has tiles that are far larger than it is")
    }
    codec = first.codec.description
    configuration = first.configuration
    tiles = try file.ranges(of: grid.tiles)
    guard tiles.joined().reduce(0, { $0 + min($1.count, Self.mostBytes) }) <= Self.mostBytes else {
      throw MediaError(
        beyond: .photoSize, "its item \(id) has more than \(Self.mostBytes >> 20) MB of coded data")
    }
    self.grid = TileGrid(columns: grid.columns, rows: grid.rows, tile: first.size, size: size)
    let shown = try Self.shown(properties, of: size)
    (aperture, orientation) = (shown.aperture, shown.orientation)
    codePoints = properties.lazy.compactMap(\.codePoints).first
    iccProfile = properties.lazy.compactMap(\.iccProfile).first
    bitDepth = properties.lazy.compactMap(\.bitsPerChannel).first?.max() ?? 8
  }

  /// - Throws: ``MediaError`` when a property of an item is essential and unknown.
  private static func checkProperties(_ file: HEIFFile, _ id: UInt32) throws {
    for association in file.associations(of: id) where association.isEssential {
      guard let kind = file.properties.property(association)?.kind else {
        throw MediaError("its item \(id) needs a property that does not exist")
      }
      guard known.contains(kind) else {
        throw MediaError(
          "its item \(id) needs the property “\(kind)”, which is not handled", isUnsupported: true)
      }
    }
  }

  /// How one tile is coded, and the number of the property that says so; 0 for none.
  private static func coded(
    _ file: HEIFFile, _ id: UInt32
  ) throws -> (codec: FourCC, configuration: [UInt8], property: Int, size: PixelSize) {
    guard let item = file.items[id] else { throw MediaError("its tile, item \(id), does not exist") }
    guard item.isCodedImage else {
      throw MediaError("its tile, item \(id), is no coded picture but “\(item.type)”", isUnsupported: true)
    }
    guard item.protection == 0 else { throw MediaError("its picture is encrypted", isUnsupported: true) }
    let configurations: [FourCC: FourCC] = ["hvc1": "hvcC", "av01": "av1C", "avc1": "avcC", "vvc1": "vvcC"]
    try checkProperties(file, id)
    let said = configurations[item.type].flatMap { kind in
      file.associations(of: id).first { file.properties.property($0)?.kind == kind }
    }
    let configuration = said.flatMap(file.properties.property)
    guard let size = file.spatialExtents(of: id), 1...largestSide ~= size.width,
      1...largestSide ~= size.height
    else { throw MediaError("its tile, item \(id), has no possible size") }
    guard configuration != nil || configurations[item.type] == nil else {
      throw MediaError("its tile, item \(id), does not say how it is coded")
    }
    return (item.type, configuration?.bytes ?? [], said?.index ?? 0, size)
  }
}

extension HEIFPicture {
  /// The part of a picture that is shown, and its turn, by properties that apply one after the other.
  private static func shown(
    _ properties: [Atom], of size: PixelSize
  ) throws -> (aperture: Aperture?, orientation: Orientation) {
    var aperture: Aperture?
    var orientation = Orientation.identity
    for property in properties {
      if property.kind == "clap" {
        guard aperture == nil, orientation == .identity else {
          throw MediaError("its picture is cropped after it was turned", isUnsupported: true)
        }
        aperture = try Aperture(CleanAperture(property), in: size)
      } else if let turn = property.pictureTurn {
        orientation = orientation.then(turn)
      }
    }
    return (aperture, orientation)
  }

  /// The same picture with further properties applied to it.
  private func laidDown(as properties: [Atom]) throws -> HEIFPicture {
    let shown = try Self.shown(properties, of: grid.size)
    guard shown.aperture == nil || aperture == nil && orientation == .identity else {
      throw MediaError("its picture is cropped after it was turned", isUnsupported: true)
    }
    var picture = self
    picture.aperture = shown.aperture ?? aperture
    picture.orientation = orientation.then(shown.orientation)
    return picture
  }
}

extension HEIFPicture {
  /// The tiles that hold a part of the picture, as a picture without clean aperture.
  ///
  /// - Parameter part: the part, in columns and rows of the picture as it is stored.
  /// - Returns: the picture of those tiles, and the column and row of the whole picture where it begins.
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

  /// The layout of chroma, by `chroma_format_idc` of its HEVC configuration (ISO/IEC 14496-15 section 8.3.3.1): how many times
  /// fewer columns and rows than luma has; nil without chroma.
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
  /// The aperture of a picture of fewer samples.
  ///
  /// - Parameter factor: how many columns and rows became one.
  package func reduced(by factor: Int) -> HEIFPicture.Aperture {
    HEIFPicture.Aperture(
      x: x / factor, y: y / factor, width: max(width / factor, 1), height: max(height / factor, 1))
  }

  /// The whole pixels that a clean aperture shows (ISO/IEC 14496-12 section 12.1.4.1).
  ///
  /// - Throws: ``MediaError`` when it does not lie in the picture.
  init(_ clap: CleanAperture, in size: PixelSize) throws {
    let outside = MediaError("its clean aperture does not lie in its picture")
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

/// Tiles that make a picture (`grid`, ISO/IEC 23008-12 section 6.6.2.3).
struct HEIFGrid: Hashable, Sendable {
  let columns: Int
  let rows: Int
  let size: PixelSize
  let tiles: [UInt32]

  /// One tile that is the picture.
  init(tile: UInt32, size: PixelSize) {
    (columns, rows, self.size, tiles) = (1, 1, size, [tile])
  }

  /// Version, flags, rows − 1, columns − 1, and the picture's width and height in two or four bytes each.
  ///
  /// - Parameters:
  ///   - bytes: the item's data.
  ///   - tiles: the items that it is made of.
  init(_ bytes: [UInt8], tiles: [UInt32]) throws {
    var reader = BigEndianReader(bytes)
    let version: UInt8 = try reader.integer()
    guard version == 0 else { throw MediaError("its grid has an unknown version", isUnsupported: true) }
    let isWide = try reader.integer(UInt8.self) & 1 != 0
    rows = Int(try reader.integer(UInt8.self)) + 1
    columns = Int(try reader.integer(UInt8.self)) + 1
    let width = isWide ? try reader.uint32() : UInt32(try reader.uint16())
    let height = isWide ? try reader.uint32() : UInt32(try reader.uint16())
    size = PixelSize(width: Int(width), height: Int(height))
    self.tiles = tiles
    guard tiles.count == rows * columns else {
      throw MediaError(
        "its grid of \(columns)x\(rows) tiles has \(tiles.count), and needs \(rows * columns)")
    }
  }
}
