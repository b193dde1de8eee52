import Basics
import EditModel
import FileSystem
import Foundation
import TestSupport
import Testing

@testable import EditLibrary

extension LibraryTests {
  /// One pass finishes the stuck edits of many assets and drops moves that liveedit did not record.
  @Test func manyStuckEditsEndTogether() throws {
    let count = 2000
    let library = try open().library
    defer { library.close() }
    let catalogue = try library.catalogueForWriting()
    // Creates the state left by a repair that was killed between the moves and their completion.
    try catalogue.database.run(
      """
      WITH RECURSIVE number (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM number WHERE n < \(count))
      INSERT INTO asset (id, stem, current) SELECT n, 'x' || n, 0 FROM number;
      INSERT INTO file SELECT id, 0, 'photo', stem || '.JPG', 1, 1, 1, 1, 'x' FROM asset;
      INSERT INTO move (asset, source, target)
        SELECT id, '.liveedit/work/photo-1-' || id, '.liveedit/versions/' || stem || '/1/x.JPG' FROM asset;
      INSERT INTO move (asset, source, target) VALUES (7, '../x', NULL);
      """)
    library.unfinished = Dictionary(
      uniqueKeysWithValues: (1...count).map { ("x\($0)", CheckFinding.waiting("x\($0)")) })
    for place in ["work", "versions/x3/1"] {
      try FileManager.default.createDirectory(
        at: folder.file(".liveedit/" + place), withIntermediateDirectories: true)
    }
    try folder.write(Array("new".utf8), to: ".liveedit/work/photo-1-3")
    try folder.write(Array("in the way".utf8), to: ".liveedit/versions/x3/1/x.JPG")
    /// Returns the number of transactions, which SQLite stores in bytes 24 to 27 of a database
    /// (sqlite.org/fileformat2.html).
    func transactions() throws -> Int {
      try folder.read(".liveedit/library.sqlite")[24..<28].reduce(0) { $0 << 8 | Int($1) }
    }
    let before = try transactions()
    var said: [String] = []
    try library.finishStuck { said.append($0.description) }
    // One transaction drops invalid moves, and one completes the others.
    #expect(try transactions() - before == 2)
    #expect(try catalogue.pendingMoves().isEmpty && library.unfinished.isEmpty)
    #expect(said.count { $0.hasPrefix("finished an interrupted edit of x") } == count - 1)
    #expect(said.contains("discarded file moves of “x7” that would leave the library"))
    let place = ".liveedit/versions/x3/1/x.JPG"
    #expect(try folder.read(place) == Array("new".utf8))
    #expect(try folder.read(place + ".damaged-1") == Array("in the way".utf8))
  }
}
