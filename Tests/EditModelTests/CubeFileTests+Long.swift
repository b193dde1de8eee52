import Basics
import Foundation
import TestSupport
import Testing

@testable import EditModel

extension CubeFileTests {
  @Test func aFileThatIsTooLarge() throws {
    let table = Array("LUT_1D_SIZE 2\n0 0 0\n1 1 1\n".utf8)
    let room = 32 << 20
    func problem(_ size: Int, _ start: [UInt8]) -> String? {
      do throws(MediaError) {
        _ = try CubeFile.parse(start + [UInt8](repeating: UInt8(ascii: "\n"), count: size - start.count))
        return nil
      } catch {
        return error.problem.description
      }
    }
    // Reading the largest file completely takes long. A file refused at its first line shows more quickly that the size
    // is allowed.
    if Cases.areAllRun { #expect(problem(room, table) == nil) }
    let refused = Array("LUT_1D_SIZE none\n".utf8)
    #expect(problem(room, refused)?.hasPrefix("line 1 of the .cube file ") == true)
    #expect(problem(room + 1, table) == "it exceeds the 32 MB limit for .cube files")
  }
}
