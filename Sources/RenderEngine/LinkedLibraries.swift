import Codecs
package import EditModel
import Rendering

/// Returns the shared libraries that decode, encode and interpret colours.
package func linkedLibraries() -> [LinkedLibrary] {
  let colors = colorLibrary()
  return LibraryBuilds.described.map { library in
    // Little CMS reports its own version. Its build is determined from the library file.
    library.name == "liblcms2"
      ? LinkedLibrary(name: library.name, version: colors, build: library.build) : library
  }
}
