# The compiler comes with this file; a wrong host compiler shows in the first source with its own message.
set(CMAKE_ASC_COMPILER_WORKS 1 CACHE INTERNAL "")
