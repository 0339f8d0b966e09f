package markers
