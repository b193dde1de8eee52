import Foundation
import LiveEdit
import RenderEngine

/// A program that colours every picture of an asset by its brightness, like a thermal camera. It shows how to use a
/// frame processor and adjustment data in your own format.
///
///     example-false-colour FOLDER NAME [STRENGTH]
///
/// If you run the program again with another strength, it resumes its own edit and computes the colours from the
/// original again.
@main struct FalseColour {
  static let format = "com.example.falsecolour"
  static let version = "1"

  static func main() async throws {
    let arguments = CommandLine.arguments
    guard arguments.count >= 3 else {
      print("usage: example-false-colour FOLDER NAME [STRENGTH]")
      return
    }
    let library = try PhotoLibrary(
      folder: URL(filePath: arguments[1]), renderer: InProcessRenderer())
    let asset = try await library.asset(named: arguments[2])
    let input = try await library.requestContentEditingInput(for: asset) { data in
      data.formatIdentifier == format && data.formatVersion == version && data.data.count == 1
    }
    // The strength, from 0 to 100: the argument if there is one, otherwise that of the last edit.
    let last = input.adjustmentData?.data.first ?? 60
    let strength = arguments.count > 3 ? UInt8(arguments[3]).map { min($0, 100) } ?? last : last

    let context = LivePhotoEditingContext(input)
    context.frameProcessor = .planes { frame in colours(of: frame, strength: Int(strength)) }
    let output = try ContentEditingOutput(input)
    output.adjustmentData = AdjustmentData(
      formatIdentifier: format, formatVersion: version, data: Data([strength]))
    let result = try await context.saveLivePhoto(to: output)
    try await library.performChanges { $0[asset].contentEditingOutput = output }
    for removal in result.removals { print("not carried over: \(removal.name), which \(removal.reason)") }
  }

  /// Returns planes that are blue where the picture is dark and red where it is bright. Luma is unchanged.
  static func colours(of frame: LivePhotoFrame, strength: Int) -> [LivePhotoFrame.Plane] {
    guard frame.planes.count == 3 else { return frame.planes }
    let luma = frame.planes[0]
    var (blue, red) = (frame.planes[1], frame.planes[2])
    let middle = 1 << (frame.bitDepth - 1)
    // The number of luma samples per chroma sample, horizontally and vertically.
    let columns = (luma.width + blue.width - 1) / blue.width
    let rows = (luma.height + blue.height - 1) / blue.height
    for y in 0..<blue.height {
      for x in 0..<blue.width {
        // From -middle to middle - 1, so that neither sum exceeds the range of samples.
        let brightness = Int(luma.samples[y * rows * luma.width + x * columns]) - middle
        let shift = brightness * strength / 100
        blue.samples[y * blue.width + x] = UInt16(middle - 1 - shift)
        red.samples[y * red.width + x] = UInt16(middle + shift)
      }
    }
    return [luma, blue, red]
  }
}
