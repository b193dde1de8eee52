import EditModel
import Foundation
import Testing

@testable import EditLibrary

/// Tests of merging two histories of one asset. Each version has a label, the name of its editor.
@Suite struct HistoryMergeTests {
  private func version(
    _ number: Int, _ label: String, time: Int, previous: Int? = nil, base: Int = 0
  ) -> Version {
    Version(
      number: number, previous: previous ?? number - 1, base: base, origin: .foreign, adjustment: nil,
      editor: label, time: time, build: "", files: [], hasFiles: true, isAside: false)
  }

  private func record(_ versions: [Version], current: Int) -> AssetRecord {
    AssetRecord(stem: "IMG_0001", originals: [], versions: versions, current: current)
  }

  private func labels(_ record: AssetRecord) -> [String] {
    record.versions.map { "\($0.number)\($0.isAside ? "'" : "") \($0.editor)" }
  }

  /// An old catalogue is merged with the descriptions of later versions.
  @Test func whatTheCatalogueDoesNotKnowIsAdded() {
    let old = record([version(1, "a", time: 10)], current: 1)
    let late = record([version(2, "b", time: 20), version(3, "c", time: 30)], current: 0)
    let merge = HistoryMerge(old, late, prefersTheirs: true)
    #expect(labels(merge.record) == ["1 a", "2 b", "3 c"])
    #expect(merge.fork == nil && merge.record.isSound)
  }

  @Test(arguments: [false, true])
  func ofTwoLinesTheNewerOneGoesOn(_ isTurned: Bool) {
    let first = version(1, "a", time: 10)
    let here = record([first, version(2, "b", time: 20), version(3, "c", time: 30)], current: 3)
    let there = record(
      [first, version(2, "x", time: 21), version(3, "y", time: 40, base: 2)], current: 3)
    let merge =
      isTurned
      ? HistoryMerge(there, here, prefersTheirs: false) : HistoryMerge(here, there, prefersTheirs: true)
    #expect(labels(merge.record) == ["1 a", "2 x", "3 y", "4' b", "5' c"])
    #expect(merge.fork == 2 && merge.record.current == 3 && merge.record.isSound)
    #expect(merge.record.version(4)?.previous == 1 && merge.record.version(5)?.previous == 4)
    #expect(merge.record.version(3)?.base == 2)
    // The other computer merges too, and both computers get the same result.
    let again = HistoryMerge(merge.record, there, prefersTheirs: true)
    #expect(labels(again.record) == labels(merge.record))
    #expect(HistoryMerge.unknown(here.versions, to: merge.record).isEmpty)
  }

  /// When a version is renumbered, references to it as a base are renumbered too.
  @Test func basesGoAlong() {
    let here = record([version(1, "a", time: 10), version(2, "b", time: 20, base: 1)], current: 2)
    let there = record([version(1, "x", time: 30)], current: 1)
    let merge = HistoryMerge(here, there, prefersTheirs: false)
    #expect(labels(merge.record) == ["1 x", "3' a", "4' b"])
    #expect(merge.record.version(4)?.base == 3 && merge.record.isSound)
  }

  @Test func namesOfConflictCopies() {
    let names = [
      "version.sync-conflict-20261130-101112-ABCDEFG.json": "version.json",
      "library.sync-conflict-20261130-101112.sqlite": "library.sqlite",
      "library (conflicted copy 2026-11-30 101112).sqlite": "library.sqlite",
      "IMG_E0001 (Anna's conflicted copy 2026-11-30).JPG": "IMG_E0001.JPG",
      "collections_conflict-20261130-101112.json": "collections.json", "version.json~": "version.json",
    ]
    for (name, original) in names { #expect(ConflictCopy.original(of: name) == original, "\(name)") }
    for name in ["version.json", "IMG_0001 (1).JPG", "IMG_0001-conflict.JPG", "~"] {
      #expect(ConflictCopy.original(of: name) == nil, "\(name)")
    }
  }
}
