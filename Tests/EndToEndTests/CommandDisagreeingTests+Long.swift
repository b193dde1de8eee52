import Foundation
import TestSupport
import Testing

extension CommandDisagreeingTests {
  @Test func aListSeesTheFactsOfTheCurrentVersion() throws {
    let pair = try CommandTrimTests.Pair("IMG_0004.HEIC")
    let folder = pair.folder.url
    try pair.run("date", "--set", "2001-02-03T04:05+01:00")
    try pair.run("place", "--set", "48.137,11.575")
    #expect(try names("date = 2001-02-03 and near 48.137,11.575 within 10m", in: folder) == ["IMG_0004.HEIC"])
    #expect(try names("date > 2002", in: folder).isEmpty)
    try pair.run("revert", "--to", "original")
    #expect(try names("date = 2001-02-03", in: folder).isEmpty)
    #expect(try names("date > 2002", in: folder) == ["IMG_0004.HEIC"])
  }
}
