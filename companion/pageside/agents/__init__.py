"""What agents see over MCP: tools, prompts, and how results and errors look."""
