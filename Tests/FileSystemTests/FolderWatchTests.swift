import Foundation
import TestSupport
import Testing

@testable import FileSystem

@Suite struct FolderWatchTests {
  @Test func namesThatChangeAreTold() throws {
    let folder = try TemporaryFolder()
    let path = folder.url.path
    try folder.write([1], to: "there")
    let watch = try FolderWatch()
    try watch.add(path)
    try watch.add(path)
    #expect(try watch.wait(milliseconds: 0).isEmpty)
    try folder.write([1], to: "new")
    try FileManager.default.moveItem(at: folder.file("there"), to: folder.file("moved"))
    #expect(
      try watch.wait(milliseconds: 10_000).names[path]?.isSuperset(of: ["new", "there", "moved"]) == true)
    #expect(try watch.wait(milliseconds: 0).isEmpty)
    // Reading a file does not count as a change.
    _ = try folder.read("new")
    #expect(try watch.wait(milliseconds: 0).isEmpty)
    try FileManager.default.removeItem(at: folder.file("new"))
    #expect(try watch.wait(milliseconds: 10_000) == FolderWatch.Events(names: [path: ["new"]]))
  }

  @Test func foldersThatGoAreTold() throws {
    let folder = try TemporaryFolder()
    let path = folder.file("gone").path
    try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: false)
    let watch = try FolderWatch()
    try watch.add(path)
    try FileManager.default.removeItem(atPath: path)
    #expect(try watch.wait(milliseconds: 10_000).lost == [path])
    #expect(try watch.wait(milliseconds: 0).isEmpty)
  }

  @Test func whatIsNoFolderIsRefused() throws {
    let folder = try TemporaryFolder()
    try folder.write([], to: "file")
    let watch = try FolderWatch()
    #expect(throws: SystemError.self) { try watch.add(folder.file("file").path) }
    #expect(throws: SystemError.self) { try watch.add(folder.file("none").path) }
  }
}
