import Basics
import EditLibrary
import EditModel
import Foundation
import TestSupport
import Testing

@testable import LiveEdit
@testable import RenderClient
@testable import Workflows

/// A converter that decodes and encodes nothing.
private struct NoConverter: MediaConverter {
  func convert(
    _ job: ConversionJob, isCancelled: @escaping @Sendable () -> Bool
  ) throws(EditError) -> ConversionResult {
    throw EditError(.renderer, "nothing is converted")
  }

  func check(
    _ job: PictureCheckJob, isCancelled: @escaping @Sendable () -> Bool
  ) throws(EditError) -> PictureCheck {
    throw EditError(.renderer, "nothing is decoded")
  }
}

/// Tests of the names of many new files that would have the same name.
@Suite struct TakenNamesTests {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  private func making(
    of original: String = "/elsewhere/x.JPG", _ publisher: FilePublisher
  ) -> ExportMaking {
    let photo = HalfFiles.Half(
      path: original, name: URL(fileURLWithPath: original).lastPathComponent, source: original)
    return ExportMaking(
      HalfFiles(photo: photo), isMotionPhoto: false, apple: nil, ExportOptions(.still, isNumbered: true),
      publisher, originals: [original], converter: NoConverter(), isCancelled: { false })
  }

  /// Returns the names that an export gets. They remain taken.
  private func names(
    _ making: ExportMaking, stem: String? = nil, _ taken: inout TakenNames
  ) throws -> [String] {
    let names = try making.names(stem: stem, taken: &taken).items.map(\.name)
    taken.add(names.map(making.publisher.target))
    return names
  }

  /// Each file gets the next free number: neither the number of an existing file nor that of another new one.
  @Test func tenThousandFilesOfOneName() throws {
    let publisher = try FilePublisher(in: folder.url.path, stem: "x")
    for name in ["x-3.JPG", "x-5000.JPG"] { try folder.write([], to: name) }
    var taken = TakenNames()
    let making = making(publisher)
    let found = try (1...10_000).flatMap { _ in try names(making, &taken) }
    let numbers = (1...10_002).filter { $0 != 3 && $0 != 5000 }
    #expect(found == numbers.map { $0 == 1 ? "x.JPG" : "x-\($0).JPG" })
    // The next search continues at that number.
    #expect(taken.firstNumber(of: [publisher.target("x.JPG")]) == 10_002)
  }

  /// Files of one stem and several kinds, where only some names conflict. Each file gets the first number for which all
  /// of its names are free, the same number that a search from 1 finds.
  @Test func otherNamesAreNotPassedOver() throws {
    let publisher = try FilePublisher(in: folder.url.path, stem: "x")
    for name in ["x.JPG", "x-2.HEIC", "x-4.JPG"] { try folder.write([], to: name) }
    // An original in this folder conflicts only with its own copies.
    let own = folder.file("x-5.HEIC").path
    let originals = ["/elsewhere/x.JPG", "/elsewhere/x.HEIC", own, "/elsewhere/X.JPG"]
    var taken = TakenNames()
    var used = Set(["x.JPG", "x-2.HEIC", "x-4.JPG"])
    for round in 0..<24 {
      let original = originals[round % originals.count]
      let found = try names(making(of: original, publisher), stem: "x", &taken)
      let suffix = "." + URL(fileURLWithPath: original).pathExtension
      let free = (1...100).map { $0 == 1 ? "x" : "x-\($0)" }.first { stem in
        !used.contains(stem + suffix) && !(original == own && stem == "x-5")
      }
      #expect(found == [try #require(free) + suffix])
      used.formUnion(found)
    }
  }

  /// A folder with few names is listed each time. A folder with many names is listed only as often as that takes no
  /// longer in total.
  @Test func aFolderOfManyNamesIsListedNowAndThen() throws {
    for (count, most) in [(63, 1000), (6400, 10)] {
      var taken = TakenNames()
      var listings = 0
      for _ in 1...1000 {
        let stems = try taken.stems(in: "a") { () throws(EditError) in
          listings += 1
          return (1...count).map { "IMG_\($0).JPG" }
        }
        #expect(stems.count == count && stems.contains("img_7"))
      }
      #expect(listings == most)
    }
  }
}
