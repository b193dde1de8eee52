import Basics
import EditLibrary
import EditModel
import Foundation
import Synchronization
import TestSupport
import Testing

@testable import LiveEdit
@testable import RenderClient
@testable import Workflows

/// Tests of versions made by different builds of the renderer.
@Suite struct BuildTests {
  let versions: VersionFolder
  let old = CopyingRenderer(build: "old")
  let new = CopyingRenderer(build: "new")

  init() throws {
    versions = try VersionFolder("IMG_0001")
  }

  func turn(_ count: Int, with renderer: any Renderer) throws {
    for _ in 0..<count { try versions.turn(with: renderer) }
  }

  func hasFiles() throws -> [Bool] { try versions.history().record.versions.map(\.hasFiles) }

  @Test func whatTheRunningBuildCannotRenderToTheByteKeepsItsFiles() throws {
    try turn(2, with: old)
    try turn(1, with: new)
    #expect(try hasFiles() == [true, true, true])
    // After a rotation back to no edit, nothing was rendered, and it is unknown whether a render would differ.
    try turn(1, with: new)
    #expect(try hasFiles() == [true, true, true, false])
    try turn(2, with: new)
    #expect(try hasFiles() == [true, true, false, false, true, true])
    try turn(1, with: old)
    #expect(try hasFiles() == [false, false, false, false, true, true, true])
    #expect(try versions.findings().isEmpty)
  }

  @Test func aRendererThatNamesNoBuildPromisesNothing() throws {
    try turn(3, with: CopyingRenderer(build: ""))
    #expect(try hasFiles() == [true, true, true])
  }

  @Test func renderedAgainByAnotherBuildItIsRecordedAsItIs() throws {
    try turn(1, with: old)
    let first = try versions.content()
    try turn(2, with: old)
    #expect(try hasFiles() == [false, true, true])
    let back = try versions.go(to: .number(1), with: new)
    #expect(back?.isRendered == true)
    #expect(back?.notes.count == 1 && back?.notes.first?.contains("a different build") == true)
    let now = try versions.content()
    #expect(now["IMG_E0001.JPG"] != first["IMG_E0001.JPG"])
    let photo = try #require(back?.record.version(1)?.file(.photo))
    let sum = try Tools.output("sha256sum", versions.folder.file("IMG_E0001.JPG").path).text.prefix(64)
    #expect(photo.fingerprint.sha256 == sum)
    #expect(try versions.history().record.versions.map(\.build) == ["new", "old", "old"])
    #expect(try versions.findings().isEmpty)

    // The version's own description contains the same.
    let record = try versions.history().record
    try FileManager.default.removeItem(at: versions.folder.file(".liveedit/library.sqlite"))
    _ = try versions.repair()
    let rebuilt = try versions.history().record
    #expect(rebuilt.versions.map(\.build) == record.versions.map(\.build))
    #expect(rebuilt.versions.map(\.hasFiles) == record.versions.map(\.hasFiles))
    #expect(rebuilt.current == 1)
    #expect(try versions.content() == now)
    #expect(try versions.findings().isEmpty)

    // After switching to another version and back, the new render is still current.
    try versions.go(to: .next, with: new)
    try versions.go(to: .previous, with: new)
    #expect(try versions.content() == now)
  }

  @Test func renderedAgainByAnotherBuildToTheSameBytesNothingIsSaid() throws {
    struct Renamed: Renderer {
      let renderer: CopyingRenderer
      func render(
        _ job: RenderJob, progress: @escaping @Sendable (RenderProgress) -> Void,
        isCancelled: @escaping @Sendable () -> Bool
      ) throws(EditError) -> RenderResult {
        var result = try renderer.render(job, progress: progress, isCancelled: isCancelled)
        result.build = "renamed"
        return result
      }
    }
    try turn(1, with: old)
    let first = try versions.content()
    try turn(2, with: old)
    let back = try versions.go(to: .number(1), with: Renamed(renderer: old))
    #expect(back?.isRendered == true && back?.notes == [])
    #expect(try versions.content() == first)
    #expect(back?.record.version(1)?.build == "renamed")
    #expect(try versions.findings().isEmpty)
  }

  /// Equal builds must produce equal renders. If they do not, it is a bug that must not be hidden.
  @Test func otherBytesOfTheSameBuildAreNamed() throws {
    final class Unsteady: Renderer {
      private let calls = Mutex(0)
      func render(
        _ job: RenderJob, progress: @escaping @Sendable (RenderProgress) -> Void,
        isCancelled: @escaping @Sendable () -> Bool
      ) throws(EditError) -> RenderResult {
        let call = calls.withLock { calls in
          calls += 1
          return calls
        }
        var result = try CopyingRenderer(build: "\(call)").render(
          job, progress: progress, isCancelled: isCancelled)
        result.build = "unsteady"
        return result
      }
    }
    let unsteady = Unsteady()
    try turn(3, with: unsteady)
    let back = try versions.go(to: .number(1), with: unsteady)
    #expect(back?.notes.count == 1 && back?.notes.first?.contains("Please report this") == true)
    #expect(try versions.findings().isEmpty)
  }
}
