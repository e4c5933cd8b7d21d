"""PTO on the host: the instruction definition language (`pto.idl`) and the code generator (`python3 -m pto.codegen`)."""
