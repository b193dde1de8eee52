import EditModel
import FoundationEssentials
import Rendering

/// A reply with everything that a shader needs to show an edit: numbers as JSON, followed by tables and planes. The
/// JSON states the positions of the tables and planes.
///
/// The bytes begin with the length of the JSON (32 bits, least significant byte first). The JSON is padded with spaces,
/// so that the binary part begins at a multiple of 4 bytes. The binary part consists of 16-bit numbers (IEEE 754
/// binary16, least significant byte first). `Documentation/HTTP.md` describes the members of the JSON.
struct PreviewAnswer {
  /// A part of the reply that the client may already have.
  struct Part<Value> {
    var name: String
    /// The content of the part, or nil if the client already has this content or the content changes nothing.
    var value: Value?
  }

  /// The light areas of a picture, and the picture's time in seconds.
  typealias Areas = (time: Double, areas: PreviewLight.Areas)

  var half: HalfKind
  /// The size of the rendered picture.
  var size: PixelSize
  /// The mapping from positions in the rendered picture to positions in the small picture.
  var place: PictureProjection
  var vignette: PreviewVignette?
  var table: Part<PreviewTable>?
  var light: PreviewLight?
  /// The light areas of a picture, or of several frames of a movie.
  var areas: Part<[Areas]>?
  /// The names of effects that are visible only in a render.
  var missing: [String] = []

  private struct Header: Encodable {
    struct Table: Encodable {
      var name: String
      var nodes: Int?
      var at: Int?
    }
    struct Light: Encodable {
      var byLight, byLuma: Int
      var least, steps, lightCount, lumaCount: Int
      var greatestLuma: Double
      var dehaze: Float
      var weights: [Float]
    }
    struct Areas: Encodable {
      var name: String
      var at: Int?
      var columns, rows: Int?
      var across, down: Double?
      var times: [Double]?
      var airlights: [Float]?
    }
    var schema = 1
    var half: HalfKind
    var width, height: Int
    var place: [Double]
    var table: Table?
    var light: Light?
    var areas: Areas?
    var vignette: PreviewVignette?
    var missing: [String]
  }

  /// The reply in the form in which it is sent.
  var bytes: [UInt8] {
    get throws {
      var numbers: [UInt16] = []
      func append(_ part: [UInt16]) -> Int {
        let start = numbers.count
        // Positions are counted in bytes from the end of the JSON, and textures begin at multiples of 4.
        numbers += part + (part.count % 2 == 0 ? [] : [0])
        return 2 * start
      }
      var header = Header(
        half: half, width: size.width, height: size.height,
        place: [place.x, place.y, place.w].flatMap { [$0.x, $0.y, $0.z] }, vignette: vignette,
        missing: missing)
      header.table = table.map { table in
        guard let made = table.value else { return Header.Table(name: table.name) }
        // A table that changes no colours is omitted.
        guard !made.isIdentity else { return Header.Table(name: table.name, nodes: 0) }
        return Header.Table(name: table.name, nodes: made.nodes, at: append(made.samples))
      }
      header.light = light.map {
        Header.Light(
          byLight: append($0.byLight), byLuma: append($0.byLuma), least: PreviewLight.leastLight,
          steps: PreviewLight.steps, lightCount: PreviewLight.lightCount, lumaCount: PreviewLight.lumaCount,
          greatestLuma: PreviewLight.greatestLuma, dehaze: $0.dehaze, weights: $0.weights)
      }
      header.areas = areas.map { areas in
        guard let made = areas.value, let first = made.first?.areas else {
          return Header.Areas(name: areas.name)
        }
        return Header.Areas(
          name: areas.name, at: append(made.flatMap(\.areas.samples)), columns: first.columns,
          rows: first.rows, across: first.across, down: first.down, times: made.map(\.time),
          airlights: made.map(\.areas.airlight))
      }
      let encoder = JSONEncoder()
      encoder.outputFormatting = [.sortedKeys]
      var json = Array(try encoder.encode(header))
      json += [UInt8](repeating: UInt8(ascii: " "), count: (4 - json.count % 4) % 4)
      var bytes = (0..<4).map { UInt8(truncatingIfNeeded: json.count >> (8 * $0)) } + json
      bytes.reserveCapacity(bytes.count + 2 * numbers.count)
      for number in numbers {
        bytes.append(UInt8(truncatingIfNeeded: number))
        bytes.append(UInt8(truncatingIfNeeded: number >> 8))
      }
      return bytes
    }
  }
}
