public import EditModel
import FileSystem

/// New files on their way into a folder: made under hidden names on its file system, made durable, and named last. No
/// file that is there already is overwritten, and a failure leaves none of the new ones.
public final class Handover {
  private let folder: String
  private let work: WorkFolder
  private let place: String

  /// A file in the making.
  public struct Item: Hashable, Sendable {
    /// Which file of the hidden folder it is: a short word.
    public var member: String
    /// The name that it gets.
    public var name: String
    /// The file whose permissions it gets; nil leaves them as the process makes them.
    public var origin: String?

    /// - Parameters:
    ///   - member: which file of the hidden folder it is.
    ///   - name: the name that it gets.
    ///   - origin: the file whose permissions it gets.
    public init(_ member: String, name: String, origin: String? = nil) {
      self.member = member
      self.name = name
      self.origin = origin
    }
  }

  /// Makes the hidden folder.
  ///
  /// - Parameters:
  ///   - folder: where the files go; empty for the current folder.
  ///   - stem: what the hidden folder is named after.
  /// - Throws: ``EditError`` when there is no such folder, or it cannot be written to.
  public init(in folder: String, stem: String) throws(EditError) {
    let path = folder.isEmpty ? "." : folder
    do {
      guard try FileStatus(path: path).kind == .folder else {
        throw EditError(.fileSystem, file: folder, "is not a folder", remedy: "name a folder with -o")
      }
    } catch {
      throw EditError(writing: path, error)
    }
    self.folder = folder
    WorkFolder.recoverAll(in: try FolderListing(folder: folder))
    let mark = "\(stem)-\(WorkFolder.ownMark)"
    work = try WorkFolder(in: folder, stem: mark)
    place = FolderListing.path(folder, WorkFolder.prefix + mark)
  }

  deinit {
    work.close()
  }

  /// Where a member is to be written.
  public func path(_ member: String) -> String {
    FolderListing.path(place, WorkFolder.name(member))
  }

  /// An error about a file in the hidden folder, with the name of a file that people know.
  ///
  /// - Parameters:
  ///   - error: what went wrong.
  ///   - file: the file that the hidden one was made of; nil leaves the error as it is. What cannot be written is named
  ///     as it is in any case.
  public func named(_ error: EditError, after file: String?) -> EditError {
    guard let file, let hidden = error.file, hidden.hasPrefix(place + "/"), error.code != .fileSystem else {
      return error
    }
    var error = error
    error.file = file
    return error
  }

  /// Makes sure that names are free.
  public func checkFree(_ names: [String]) throws(EditError) {
    for name in names {
      let path = FolderListing.path(folder, name)
      do {
        guard try FileStatus.exists(path) else { continue }
      } catch {
        throw EditError(writing: path, error)
      }
      throw Self.taken(path)
    }
  }

  /// Gives the files their names.
  ///
  /// - Parameters:
  ///   - items: the files, all of them written.
  ///   - bundle: a new folder that they go into together; nil puts them into the folder itself.
  /// - Returns: the paths of what is new in the folder.
  public func deliver(_ items: [Item], bundle: String? = nil) throws(EditError) -> [String] {
    do {
      for item in items {
        if let origin = item.origin {
          try File.setPermissions(FileStatus(path: origin).permissions | 0o200, of: path(item.member))
        }
        try File.sync(path(item.member))
      }
    } catch {
      throw EditError(writing: folder.isEmpty ? "." : folder, error)
    }
    guard let bundle else {
      return try deliver(items.map { (path($0.member), FolderListing.path(folder, $0.name)) })
    }
    let packed = path("bundle")
    do {
      _ = try Folder.create(packed)
      for item in items {
        try File.move(path(item.member), toFree: FolderListing.path(packed, item.name))
      }
      try Folder.sync(packed)
    } catch {
      throw EditError(writing: packed, error)
    }
    return try deliver([(packed, FolderListing.path(folder, bundle))])
  }

  private func deliver(_ moves: [(from: String, to: String)]) throws(EditError) -> [String] {
    var done: [String] = []
    do {
      for move in moves {
        do {
          try File.move(move.from, toFree: move.to)
        } catch SystemError.exists {
          throw Self.taken(move.to)
        } catch {
          throw EditError(writing: move.to, error)
        }
        done.append(move.to)
      }
      try Folder.sync(folder.isEmpty ? "." : folder)
    } catch {
      // These are ours, and of no use alone.
      for path in done { _ = try? File.remove(path) }
      throw EditError(writing: folder.isEmpty ? "." : folder, error)
    }
    return done
  }

  private static func taken(_ path: String) -> EditError {
    EditError(
      .inTheWay, file: path, "exists already, and nothing is overwritten",
      remedy: "move it away or choose another folder with -o")
  }
}
