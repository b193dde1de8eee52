import Codecs
package import EditModel
import Rendering

/// The shared libraries that decode, encode and read colours.
package func linkedLibraries() -> [LinkedLibrary] {
  let colors = colorLibrary()
  return LibraryBuilds.described.map { library in
    // Little CMS tells its own version; its build is that of the file.
    library.name == "liblcms2"
      ? LinkedLibrary(name: library.name, version: colors, build: library.build) : library
  }
}
