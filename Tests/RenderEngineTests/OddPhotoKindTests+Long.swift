import EditModel
import Foundation
import TestSupport
import Testing

extension OddPhotoKindTests {
  /// Whole blocks, partial blocks, and less than one block. A quick run uses the last size with every third kind.
  static let sizedKinds: [([String], (Int, Int))] = kinds.enumerated().flatMap { number, kind in
    Cases.chosen([(96, 64), (75, 53), (1, 1)]) { index, _ in index < 2 || number % 3 == 0 }.map { (kind, $0) }
  }

  @Test(arguments: sizedKinds)
  func isTurnedOrMirrored(_ kind: [String], _ size: (Int, Int)) throws {
    let photo = try photo(kind, width: size.0, height: size.1)
    var flagged: [(path: String, edit: Orientation)] = []
    for edit in [Orientation.right, .flippedHorizontally] {
      let perfect = try folder.perfectlyTurned(photo, edit)
      let lossless = try folder.rendered(photo, edit, isLossless: true)
      if let perfect {
        for turned in [lossless, try folder.rendered(photo, edit)] {
          #expect(turned.result.photo == .lossless)
          #expect(try folder.normalised(turned.bytes) == folder.normalised(perfect))
        }
        continue
      }
      #expect(lossless.result.photo == .copied && lossless.result.notes.count == 1)
      #expect(try folder.normalised(lossless.bytes) == folder.normalised(photo))
      flagged.append((try folder.write(lossless.bytes, to: "flagged\(edit.rawValue).jpg").path, edit))
      if kind == ["-rgb"] {
        let error = try folder.refusal(photo)
        #expect(error.code == .unsupported && error.description.contains("not encoded as Y′CbCr"))
        #expect(error.remedy?.contains("--lossless") == true)
      } else {
        let encoded = try folder.rendered(photo, edit)
        #expect(encoded.result.photo == .encoded)
        #expect(try folder.luma(encoded.bytes).psnr(folder.luma(photo).turned(edit)) >= 37.5)
      }
    }
    guard !flagged.isEmpty else { return }
    let flags = try Tools.run(["exiftool", "-n", "-T", "-IFD0:Orientation"] + flagged.map(\.path))
    #expect(flags.lines == flagged.map { "\($0.edit.rawValue)" })
  }

  @Test(arguments: [(65500, 16), (16, 65500), (16, 65499)])
  func extremeSizes(_ width: Int, _ height: Int) throws {
    let photo = try photo(["-sample", "2x2"], width: width, height: height)
    let turned = try folder.rendered(photo, .right)
    #expect(turned.result.photo == (height % 16 == 0 ? .lossless : .encoded))
    #expect(try folder.luma(turned.bytes).psnr(folder.luma(photo).turned(.right)) >= 37.5)
  }
}
