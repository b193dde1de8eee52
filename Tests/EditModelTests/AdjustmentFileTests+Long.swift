import Foundation
import TestSupport
import Testing

@testable import EditModel

extension AdjustmentFileTests {
  @Test(arguments: ["utf-8", "utf-16", "utf-16-le", "utf-32"])
  func deepNestingIsRefused(_ encoding: String) throws {
    // The dictionary is the first of 64 levels, and the number is the last.
    for arrays in [63, 64] {
      let program = """
        import plistlib, sys
        value = 1
        for _ in range(\(arrays)): value = [value]
        text = plistlib.dumps({'adjustmentData': b'a', 'adjustmentFormatIdentifier': 'b',
            'adjustmentFormatVersion': 'c', 'other': value}).decode().replace('<array>', '<array><!--</array>-->')
        sys.stdout.buffer.write(text.encode('\(encoding)'))
        """
      let bytes = Array(try Tools.run(["python3", "-c", program]).standardOutput)
      #expect((AdjustmentFile(bytes: bytes) != nil) == (encoding == "utf-8" && arrays == 63), "\(arrays)")
    }
    #expect(AdjustmentFile(bytes: Array(("{a=" + String(repeating: "(", count: 70)).utf8)) == nil)
  }

  @Test func applesFilesAreRead() throws {
    guard let photo = TestFiles.sample("iphone-6s-jpeg/IMG_0728.AAE") else { return }
    let read = try #require(AdjustmentFile(bytes: Array(Data(contentsOf: photo))))
    #expect(read.adjustment.formatIdentifier == "com.apple.photo")
    #expect(!read.adjustment.canHandle)
  }
}
