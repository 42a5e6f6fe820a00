import './glass-house';
import './plant-card';
import './water-meter';
